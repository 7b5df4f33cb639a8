"""A Triglide on tilted rails, which several tests change in their ways."""

# A Triglide on tilted rails: three slides, six rods of 600 mm between ball joints.
TILTED = """pkm: 1
name: Tilted Triglide
gravity: [0, 0, -9.81]
parameters:
  R: 0.35 m
  tilt: 35 deg
  rod: 600 mm
  rp: 60 mm
  gap: 90 mm
materials:
  alu: {density: 2700 kg/m3, young: 70 GPa, poisson: 0.33}
bodies:
  platform:
    points: {P: [0, 0, 0]}
    shape: {cylinder: {from: [0, 0, -5 mm], to: [0, 0, 5 mm], diameter: =2*rp}, material: alu}
    pose: {at: [0, 0, -0.45]}
limbs:
  arm:
    copies: {A: 0 deg, B: 120 deg, C: 240 deg}
    frames:
      ground: {rail: {at: [=R, 0, 0], rotate: {y: =tilt}}}
    points:
      platform: {l: [=rp, =gap/2, 0], r: [=rp, =-gap/2, 0]}
    bodies:
      slide:
        mass: 0.8 kg
        points: {O: [0, 0, 0], l: [0, =gap/2, 0], r: [0, =-gap/2, 0]}
        shape: {box: {size: [80 mm, 100 mm, 40 mm]}}
        pose: {at: [=R, 0, 0], rotate: {y: =tilt}}
      left:
        points: {A: [0, 0, 0], B: [=rod, 0, 0]}
        shape: {tube: {from: A, to: B, diameter: 10 mm, wall: 1 mm}, material: alu}
        pose: {A: [=R, =gap/2, 0], B: [=rp, =gap/2, -0.45]}
      right:
        points: {A: [0, 0, 0], B: [=rod, 0, 0]}
        shape: {tube: {from: A, to: B, diameter: 10 mm, wall: 1 mm}, material: alu}
        pose: {A: [=R, =-gap/2, 0], B: [=rp, =-gap/2, -0.45]}
    joints:
      rail: {type: prismatic, between: [ground.rail, slide.O], axis: x}
      l1: {type: spherical, between: [slide.l, left.A]}
      r1: {type: spherical, between: [slide.r, right.A]}
      l2: {type: spherical, between: [left.B, platform.l]}
      r2: {type: spherical, between: [right.B, platform.r]}
    drives:
      q{}: {joint: rail}
tool: {point: platform.P, moves: [x, y, z]}
payload: {mass: 0.5 kg, at: platform.P}
home: {tool: [0, 0, -0.45]}
"""
