// Simbody on model D: inverse dynamics with prescribed cranks, one forward evaluation, and the
// motion driven open loop by its exact torques.
//
// Simbody's cranks follow a Motion; the torques are its motion forces after the accelerations have
// been realised, which solves the loops' multipliers on the way.
#include "bench.h"
#include "delta_d.h"

#include <Simbody.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

using namespace SimTK;

namespace
{

const double target_error = 1e-6; // [m]

Vec3 vec(pkm_vec3 v)
{
    return Vec3(v.x, v.y, v.z);
}

/// The stroke of one crank as a prescribed motion.
class Stroke : public Motion::Custom::Implementation
{
  public:
    explicit Stroke(int limb) : limb_(limb)
    {
    }
    Implementation* clone() const override
    {
        return new Stroke(*this);
    }
    Motion::Level getLevel(const State&) const override
    {
        return Motion::Position;
    }
    void calcPrescribedPosition(const State& s, int, Real* q) const override
    {
        *q = value(s, 0);
    }
    void calcPrescribedPositionDot(const State& s, int, Real* q) const override
    {
        *q = value(s, 1);
    }
    void calcPrescribedPositionDotDot(const State& s, int, Real* q) const override
    {
        *q = value(s, 2);
    }

  private:
    double value(const State& s, int derivative) const
    {
        double x[3][3];
        delta_stroke(s.getTime(), x[0], x[1], x[2]);
        return x[derivative][limb_];
    }
    int limb_;
};

/// Cranks on pins, rods on ball mobilizers, a free platform, six ball constraints.
class Delta
{
  public:
    explicit Delta(bool driven)
        : matter(system), forces(system), gravity(forces, matter, Vec3(0, 0, -DELTA_GRAVITY)),
          drives(forces, matter)
    {
        const double j = 0.25 * DELTA_PLATFORM_MASS * square(DELTA_PLATFORM_RADIUS);
        const Body::Rigid body(
            MassProperties(DELTA_PLATFORM_MASS + DELTA_PAYLOAD, Vec3(0), Inertia(j, j, 2.0 * j)));
        platform = MobilizedBody::Free(matter.Ground(), Transform(), body, Transform());
        for (int i = 0; i < 3; ++i)
            add_limb(i, driven);
        system.realizeTopology();
    }

    /// The state of the exact motion.
    State state_at(const delta_instant& now)
    {
        State s = system.getDefaultState();
        s.setTime(now.t);
        system.realizeModel(s);
        system.realize(s, Stage::Time);
        set_positions(s, now);
        set_rates(s, now);
        return s;
    }

    MultibodySystem system;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    Force::Gravity gravity;
    Force::DiscreteForces drives;
    MobilizedBody platform;
    std::vector<MobilizedBody> crank, rod;

  private:
    /// A bar along `axis` from the origin: mass properties about the origin.
    static Body::Rigid bar(double mass, Vec3 end, Inertia central)
    {
        const Vec3 com = 0.5 * end;
        return Body::Rigid(MassProperties(mass, com, central.shiftFromMassCenter(com, mass)));
    }

    void add_limb(int i, bool driven)
    {
        // A pin turns about its frame's z, which is to be the crank's y.
        const Rotation to_y(-Pi / 2, XAxis), azimuth(2 * Pi * i / 3, ZAxis);
        const double jc = DELTA_CRANK_MASS * square(DELTA_CRANK) / 12;
        const Vec3 base = azimuth * Vec3(DELTA_BASE_RADIUS, 0, 0);
        crank.push_back(MobilizedBody::Pin(
            matter.Ground(), Transform(azimuth * to_y, base),
            bar(DELTA_CRANK_MASS, Vec3(DELTA_CRANK, 0, 0), Inertia(1e-3, jc, jc)),
            Transform(to_y, Vec3(0))));
        if (driven) Motion::Custom(crank[i], new Stroke(i));

        const double jr = DELTA_ROD_MASS * square(DELTA_ROD) / 12;
        const double in = DELTA_PLATFORM_RADIUS - DELTA_BASE_RADIUS - DELTA_CRANK;
        const Rotation tilt(std::atan2(in, -delta_start_depth()), YAxis);
        for (double side : {0.5, -0.5}) {
            const Vec3 offset(0, side * DELTA_PAIR, 0);
            rod.push_back(MobilizedBody::Ball(
                crank[i], Transform(tilt, Vec3(DELTA_CRANK, 0, 0) + offset),
                bar(DELTA_ROD_MASS, Vec3(0, 0, DELTA_ROD), Inertia(jr, jr, DELTA_ROD_SPIN_INERTIA)),
                Transform()));
            Constraint::Ball(rod.back(), Vec3(0, 0, DELTA_ROD), platform,
                             azimuth * (Vec3(DELTA_PLATFORM_RADIUS, 0, 0) + offset));
        }
    }

    /// The frames on the cranks in which the rods turn, in world axes.
    std::vector<Rotation> rod_homes(const State& s) const
    {
        std::vector<Rotation> home;
        for (const MobilizedBody& r : rod)
            home.push_back(r.getParentMobilizedBody().getBodyRotation(s) *
                           r.getInboardFrame(s).R());
        return home;
    }

    void set_positions(State& s, const delta_instant& now)
    {
        for (int i = 0; i < 3; ++i)
            crank[i].setOneQ(s, 0, now.limb[i].q);
        platform.setQToFitTranslation(s, vec(now.x));
        system.realize(s, Stage::Position);
        std::vector<Rotation> home; // of the rods' inboard frames in the world
        for (const MobilizedBody& r : rod)
            home.push_back(r.getParentMobilizedBody().getBodyRotation(s) *
                           r.getInboardFrame(s).R());
        for (size_t k = 0; k < rod.size(); ++k) {
            const Vec3 z(0, 0, 1), to = ~home[k] * vec(now.limb[k / 2].rod), axis = cross(z, to);
            const double sine = axis.norm();
            if (sine > 1e-14)
                rod[k].setQToFitRotation(
                    s, Rotation(std::atan2(sine, dot(z, to)), UnitVec3(axis / sine, true)));
        }
        system.realize(s, Stage::Position);
    }

    void set_rates(State& s, const delta_instant& now)
    {
        const std::vector<Rotation> home = rod_homes(s);
        for (int i = 0; i < 3; ++i)
            crank[i].setOneU(s, 0, now.limb[i].qd);
        platform.setUToFitLinearVelocity(s, vec(now.v));
        for (size_t k = 0; k < rod.size(); ++k) {
            const delta_limb& limb = now.limb[k / 2];
            const Vec3 rate = vec(limb.rod_w) - limb.qd * vec(limb.hinge);
            rod[k].setUToFitAngularVelocity(s, ~home[k] * rate);
        }
        system.realize(s, Stage::Velocity);
    }
};

/// The model with its states at all instants.
struct Bench {
    explicit Bench(bool driven) : delta(driven)
    {
        if (!delta_instants(instant)) return;
        for (const delta_instant& now : instant) {
            states.push_back(delta.state_at(now));
            for (int i = 0; i < 3 && !driven; ++i)
                delta.drives.setOneMobilityForce(states.back(), delta.crank[i], MobilizerUIndex(0),
                                                 now.limb[i].torque);
        }
    }

    Delta delta;
    delta_instant instant[DELTA_N_INSTANT];
    std::vector<State> states;
    Vector motion_force;
};

/// Everything from positions on: what a new instant costs.
void forward(void* user, int k)
{
    Bench& b = *static_cast<Bench*>(user);
    b.states[k].invalidateAllCacheAtOrAbove(Stage::Position);
    b.delta.system.realize(b.states[k], Stage::Acceleration);
}

void inverse(void* user, int k)
{
    Bench& b = *static_cast<Bench*>(user);
    forward(user, k);
    b.delta.matter.findMotionForces(b.states[k], b.motion_force);
}

/// Largest torque error relative to the largest torque. Motion forces are on the other side of the
/// equation, hence the sign.
double torque_error(Bench& b)
{
    double worst = 0.0;
    for (int k = 0; k < DELTA_N_INSTANT; ++k) {
        inverse(&b, k);
        for (int i = 0; i < 3; ++i)
            worst = bench_larger(
                worst, -b.delta.crank[i].getOneFromUPartition(b.states[k], 0, b.motion_force),
                b.instant[k].limb[i].torque);
    }
    return worst / delta_largest_torque(b.instant);
}

/// Largest error of the platform's acceleration, relative to its largest component.
double acceleration_error(Bench& b)
{
    double worst = 0.0, largest = 0.0;
    for (int k = 0; k < DELTA_N_INSTANT; ++k) {
        forward(&b, k);
        const Vec3 exact = vec(b.instant[k].a);
        const Vec3 a = b.delta.platform.getBodyOriginAcceleration(b.states[k]);
        for (int i = 0; i < 3; ++i) {
            worst = bench_larger(worst, a[i], exact[i]);
            largest = bench_larger(largest, exact[i], 0.0);
        }
    }
    return worst / largest;
}

/// The exact torques of the moment on the cranks.
class ExactTorques : public Force::Custom::Implementation
{
  public:
    ExactTorques(const pkm_closed* closed, const std::vector<MobilizedBody>& crank)
        : closed_(closed), crank_(crank)
    {
    }
    void calcForce(const State& s, Vector_<SpatialVec>&, Vector_<Vec3>&,
                   Vector& mobility_force) const override
    {
        pkm_frame_motion tool;
        double torque[3];
        if (!delta_exact(closed_, s.getTime(), &tool, torque)) torque[0] = NaN;
        for (int i = 0; i < 3; ++i)
            crank_[i].applyOneMobilityForce(s, MobilizerUIndex(0), torque[i], mobility_force);
    }
    Real calcPotentialEnergy(const State&) const override
    {
        return 0.0;
    }

  private:
    const pkm_closed* closed_;
    std::vector<MobilizedBody> crank_;
};

/// The motion from rest, integrated by Runge-Kutta-Merson: of Simbody's methods it is there first
/// (Runge-Kutta-Fehlberg and the Adams method of CPODES come close, the others do not).
class Simulation
{
  public:
    Simulation() : closed(delta_closed_form()), delta(false)
    {
        if (!closed) throw std::runtime_error("the closed form could not be made");
        Force::Custom(delta.forces, new ExactTorques(closed, delta.crank));
        start = delta.system.realizeTopology();
        delta.system.realizeModel(start);
        delta.platform.setQToFitTranslation(start, Vec3(0, 0, -delta_start_depth()));
    }
    ~Simulation()
    {
        delta_closed_free(closed);
    }
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    void run() const
    {
        RungeKuttaMersonIntegrator integrator(delta.system);
        begin(integrator);
        while (!integrator.isSimulationOver())
            integrator.stepTo(DELTA_DURATION);
    }

    /// The largest error of the platform on the way [m].
    double error() const
    {
        RungeKuttaMersonIntegrator integrator(delta.system);
        integrator.setReturnEveryInternalStep(true);
        begin(integrator);
        double worst = 0.0;
        while (!integrator.isSimulationOver()) {
            integrator.stepTo(DELTA_DURATION);
            const State& s = integrator.getState();
            delta.system.realize(s, Stage::Position);
            const Vec3 x = delta.platform.getBodyOriginLocation(s);
            const double off = delta_distance(closed, s.getTime(), pkm_vec3{x[0], x[1], x[2]});
            worst = bench_larger(worst, off, 0.0);
        }
        return worst;
    }

    double accuracy = 1e-3;

  private:
    void begin(Integrator& integrator) const
    {
        integrator.setAccuracy(accuracy);
        integrator.setFinalTime(DELTA_DURATION);
        integrator.initialize(start);
    }

    pkm_closed* closed;
    Delta delta;
    State start;
};

void simulate(void* user, int)
{
    static_cast<Simulation*>(user)->run();
}

/// The loosest accuracy with which the platform is right everywhere, and the error that remains.
double tune(Simulation& simulation)
{
    double error = simulation.error();
    while (!(error <= target_error) && simulation.accuracy > 1e-10) {
        simulation.accuracy *= 0.9;
        error = simulation.error();
    }
    return error;
}

} // namespace

int main()
{
    try {
        Bench driven(true), free(false);
        if (driven.states.size() != DELTA_N_INSTANT || free.states.size() != DELTA_N_INSTANT)
            return 1;
        int major = 0, minor = 0, build = 0;
        SimTK_version_simbody(&major, &minor, &build);
        const std::string name = "Simbody " + std::to_string(major) + "." + std::to_string(minor);
        bench_line((name + " inverse (prescribed motion)").c_str(),
                   bench_time(inverse, &driven, DELTA_N_INSTANT), torque_error(driven), 0.0);
        bench_line((name + " forward (realize accelerations)").c_str(),
                   bench_time(forward, &free, DELTA_N_INSTANT), acceleration_error(free), 0.0);
        Simulation simulation;
        const double error = tune(simulation);
        bench_line((name + " simulate D1 to 1e-6 m (Runge-Kutta-Merson)").c_str(),
                   bench_time(simulate, &simulation, 1), error, 0.0);
        if (!(error <= target_error)) return 1;
    } catch (const std::exception& why) {
        std::fprintf(stderr, "bench_simbody: %s\n", why.what());
        return 1;
    }
    return 0;
}
