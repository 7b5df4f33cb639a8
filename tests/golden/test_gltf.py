"""Bodies from glTF files: the same as from STL files, in the model's masses, in forces, in the scene; refused with the reason."""

import json
import struct
import unittest

from program import ROOT, Program

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
EDGE = 0.0625  # the same number in text, 4 and 8 bytes
BOX = "shape: {box: {center: [=l2/2, 0, 0], size: [=l2, 16 mm, 6 mm]}, material: aluminium}"


def stl():
    lines = ["solid s"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex {} {} {}".format(*(EDGE * x for x in CORNERS[k])) for k in face]
        lines += ["endloop", "endfacet"]
    return "\n".join(lines + ["endsolid s", ""])


def glb(**more):
    """The same tetrahedron with y upwards, as a node of twice the size shows a mesh of half the size."""
    data = b"".join(struct.pack("<3f", *(0.5 * EDGE * x for x in (x, z, -y))) for x, y, z in CORNERS)
    data += bytes(k for face in FACES for k in face)
    head = {"asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "scale": [2, 2, 2]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5121, "count": 12, "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
            "buffers": [{"byteLength": 60}], **more}
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text
            + struct.pack("<I4s", len(data), b"BIN\0") + data)


class Gltf(Program):
    def robot(self, file):
        text = (ROOT / "robots/five-bar.yaml").read_text(encoding="utf-8")
        self.assertIn(BOX, text)
        self.write(f"{file}.yaml", text.replace(BOX, f"shape: {{mesh: {{file: {file}}}, material: aluminium}}", 1))
        return f"{file}.yaml"

    def test_a_body_is_that_of_the_stl_file(self):
        (self.folder / "part.glb").write_bytes(glb())
        self.write("part.stl", stl())
        answers = []
        for file in ("part.stl", "part.glb"):
            model = self.robot(file)
            answers.append(self.answer("check", model)["bodies"])
            done = self.pkm("inverse", model, "--instants", 21, "-o", file + "-out")
            self.assertEqual(done.returncode, 0, done.stderr)
            answers.append((self.folder / (file + "-out/table.csv")).read_text(encoding="utf-8"))
            answers.append(json.loads((self.folder / (file + "-out/scene.json")).read_text(encoding="utf-8"))["bodies"])
        self.assertEqual(answers[:3], answers[3:])
        shapes = [shape for body in answers[2] for shape in body["shapes"]]
        self.assertEqual(len([s for s in shapes if s["kind"] == "mesh"][0]["triangles"]), 4)
        # a tetrahedron with equal legs: rho a^3 / 6
        self.assertAlmostEqual(answers[0][2]["mass"] - self.payload(), 2700 * EDGE**3 / 6, places=12)

    def payload(self):
        """What link1 carries beside its shape."""
        with_box = self.answer("check", str(ROOT / "robots/five-bar.yaml"))["bodies"][2]["mass"]
        return with_box - 2700 * 0.09 * 0.016 * 0.006

    def test_faults_are_told_at_the_key(self):
        for name, content, why in (("cut.glb", glb()[:-1], "cut short"), ("draco.glb", glb(extensionsRequired=["KHR_draco_mesh_compression"]), "KHR_draco"),
                                   ("far.glb", glb(buffers=[{"uri": "far.bin"}]), "another file"), ("none.gltf", b"{}", "version 2")):
            (self.folder / name).write_bytes(content)
            done = self.pkm("check", self.robot(name))
            self.assertEqual(done.returncode, 2)
            self.assertIn(name + ": ", done.stderr)
            self.assertIn(why, done.stderr)


if __name__ == "__main__":
    unittest.main()
