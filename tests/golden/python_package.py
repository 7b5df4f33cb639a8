"""The Python package against the program and against other integrators. Run by test_python.py with a Python that has
NumPy and cffi: PYTHONPATH is the package, $PKM_LIBRARY the library, $PKM the program."""

import csv
import gc
import inspect
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import weakref
from pathlib import Path

import numpy as np

import pkm
from pkm._lib import lib

ROOT = Path(__file__).resolve().parent.parent.parent
ROBOTS = sorted((ROOT / "robots").glob("*.yaml"))
SIAX = ROOT / "robots/siax.yaml"


def program(*arguments):
    """The JSON answer of the program and its folder of results."""
    folder = tempfile.mkdtemp()
    done = subprocess.run([os.environ["PKM"], *map(str, arguments), "--json", "-o", folder], capture_output=True,
                          text=True, timeout=120, check=False)
    return done.returncode, json.loads(done.stdout) if done.returncode == 0 else done.stderr, Path(folder)


def table(folder):
    with open(folder / "table.csv", encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    return [name.split(" [")[0] for name in head], np.array(rows, dtype=float)


class SameAsTheProgram(unittest.TestCase):
    def test_inverse_of_every_robot(self):
        for path in ROBOTS:
            with self.subTest(path.stem):
                code, _, folder = program("inverse", path, "--instants", 11)
                self.assertEqual(code, 0)
                names, rows = table(folder)
                answer = pkm.load(path).inverse(instants=11)
                self.assertEqual(answer.columns, names)
                np.testing.assert_array_equal(answer.table.array, rows)

    def test_simulation_with_effects(self):
        run = {"for": "10 ms", "instants": 5, "friction": {"spherical": {"static": 0.1, "radius": "5 mm"}}}
        code, _, folder = program("simulate", SIAX, "--for", "10 ms", "--instants", 5, "--friction",
                                  "spherical: {static: 0.1, radius: 5 mm}")
        self.assertEqual(code, 0)
        names, rows = table(folder)
        answer = pkm.load(SIAX).simulate(run)
        self.assertEqual(answer.columns, names)
        np.testing.assert_array_equal(answer.table.array, rows)

    def test_modes_stiffness_envelope_workspace(self):
        robot = pkm.load(SIAX)
        code, modes, _ = program("modes", SIAX, "--modes", 3)
        self.assertEqual(code, 0)
        for k, mode in enumerate(modes["modes"]):
            self.assertAlmostEqual(robot.modes(modes=3).values[f"modes.{k}.frequency"], mode["frequency"], delta=1e-9 * mode["frequency"])
        _, stiff, _ = program("stiffness", SIAX)
        np.testing.assert_allclose(robot.stiffness().tables["compliance"].array.T.ravel(), stiff["compliance"], rtol=1e-12)
        _, where, _ = program("workspace", SIAX, "--slice", "z=-0.9", "--points", 21)
        self.assertEqual(robot.workspace(slice={"z": -0.9}, points=21).values["size"], where["size"])
        code, _, folder = program("envelope", SIAX, "--clearance", "spherical: {radial: 0.1 mm}", "--motion", "pick",
                                  "--instants", 3)
        self.assertEqual(code, 0)
        names, rows = table(folder)
        answer = robot.envelope(clearance={"spherical": {"radial": "0.1 mm"}}, motion="pick", instants=3)
        self.assertEqual(answer.columns, names)
        np.testing.assert_array_equal(answer.table.array, rows)


class Arrays(unittest.TestCase):
    def test_kinematics_there_and_back(self):
        """Every robot whose tool is given by three coordinates."""
        for path in ROBOTS:
            robot = pkm.load(path)
            try:
                home = robot.fk(np.zeros((0, len(robot.drives))))
                self.assertEqual(home.shape, (0, 7))
                rows = robot.inverse(instants=9)
                q = np.stack([rows[f"{d}.q"] for d in robot.drives], axis=1)
                pose = robot.fk(q)
                np.testing.assert_allclose(robot.ik(pose, method="engine"), q, atol=1e-8, err_msg=path.stem)
            except pkm.NoAnswer:  # a tool that cannot be prescribed
                self.assertNotIn(path.stem, ("siax", "irb340", "triglide", "gough-stewart"))

    def test_forces_are_those_along_the_motion(self):
        robot = pkm.load(SIAX)
        rows = robot.inverse(motion="pick", instants=21)
        q, v, a, force = (np.stack([rows[f"{d}.{x}"] for d in robot.drives], axis=1) for x in ("q", "v", "a", "force"))
        np.testing.assert_allclose(robot.forces(q, v, a, method="engine"), force, rtol=1e-8, atol=1e-7)
        np.testing.assert_allclose(robot.forces(q, v, a), force, rtol=1e-7, atol=1e-6)
        np.testing.assert_array_equal(robot.inverse(rows["t"], q, v, a, method="engine"), robot.forces(q, v, a, method="engine"))
        for wrong in ((rows["t"], q), (rows["t"][::-1], q, v, a), (rows["t"], q[:3], v, a)):
            with self.assertRaises((TypeError, ValueError)):
                robot.inverse(*wrong)
        for i in (0, 10, 20):
            np.testing.assert_allclose(robot.accelerations(q[i], v[i], force[i]), a[i], atol=1e-6)

    def test_rows_out_of_reach(self):
        robot = pkm.load(SIAX)
        with self.assertRaises(pkm.NoAnswer) as caught:
            robot.ik([[0, 0, -0.9], [0, 0, -9]])
        self.assertEqual(caught.exception.status, "PKM_ERR_UNREACHABLE")
        self.assertIn("row 2", str(caught.exception))
        q = robot.ik([[0, 0, -0.9], [0, 0, -9]], strict=False)
        self.assertTrue(np.isfinite(q[0]).all() and np.isnan(q[1]).all())
        with self.assertRaises(ValueError):
            robot.ik([1, 2])
        with self.assertRaises(ValueError):
            robot.forces([1, 2])

    def test_columns_are_lent(self):
        """A column has no memory of its own, cannot be written, and keeps the answer alive."""
        answer = pkm.load(SIAX).inverse(instants=5)
        column = answer["qA.force"]
        copy = column.copy()
        self.assertFalse(column.flags.owndata)
        self.assertFalse(column.flags.writeable)
        del answer
        gc.collect()
        np.testing.assert_array_equal(column, copy)


    def test_answers_go_when_nobody_has_them(self):
        """Answers and results of verbs: the columns that keep them alive are no circle."""
        for make in (lambda: pkm.load(SIAX).inverse(instants=5), lambda: pkm.call("inverse", SIAX, instants=5),
                     lambda: pkm.load(SIAX).simulation(drives="free", motion="none")):
            thing = make()
            gone = weakref.ref(thing)
            del thing
            gc.collect()
            self.assertIsNone(gone())


class ByCalls(unittest.TestCase):
    """What the package has beside analyses: builder, matrices, equations, controllers."""

    def test_a_pendulum_built_by_calls(self):
        """g / l and m l2 of the textbook; its text gives the same robot."""
        b = pkm.Builder("pendulum").set("gravity", [0, 0, -9.81]).point("ground", "O", [0, 0, 0])
        b.body("bob", 2.0, com=[0, 0, -1.5]).point("bob", "O", [0, 0, 0]).point("bob", "P", [0, 0, -1.5])
        b.joint("pin", "revolute", "ground.O", "bob.O", axis="y").drive("q", "pin").set("tool.point", "bob.P")
        robot = b.robot()
        M, h = robot.dynamics([0.3], [0.0])
        self.assertAlmostEqual(M[0, 0], 2 * 1.5 ** 2, places=12)
        self.assertAlmostEqual(h[0], 2 * 9.81 * 1.5 * np.sin(0.3), places=12)
        np.testing.assert_array_equal(pkm.parse(b.text).dynamics([0.3], [0.0])[0], M)
        with self.assertRaisesRegex(pkm.InputError, "already"):
            b.body("bob", 1.0)
        with self.assertRaises(ValueError):
            b.joint("x", "hinge", "ground.O", "bob.O")

    def test_matrices_are_those_of_the_program(self):
        robot = pkm.load(SIAX)
        said = json.loads(subprocess.run([os.environ["PKM"], "matrices", SIAX, "--json"], capture_output=True, text=True,
                                         timeout=120, check=True).stdout)
        ours = robot.matrices(said["position"])
        np.testing.assert_allclose(ours.J, said["jacobian"], atol=1e-12)
        np.testing.assert_allclose(ours.all.M, robot.dynamics(said["position"], np.zeros(3), method="engine")[0], atol=1e-10)
        np.testing.assert_allclose(sum(p.M for p in ours.parts), ours.all.M, atol=1e-12)
        np.testing.assert_allclose(ours.B @ ours.J[ours.moves] - ours.A, 0, atol=1e-10)

    def test_equations_hold(self):
        robot = pkm.load(SIAX)
        q, v, a = np.array([0.1, -0.05, 0.02]), np.array([1.0, -2, 0.5]), np.array([3.0, 4, -5])
        e = robot.equations(q, v, a, wrench=[0, 0, -20, 0, 0, 0])
        np.testing.assert_allclose(e.M @ e.a + e.h - e.Q - e.G.T @ e.multipliers, 0, atol=1e-9)
        np.testing.assert_allclose(e.G @ e.v, 0, atol=1e-12)
        np.testing.assert_allclose(e.drive_force, robot.forces(q, v, a, [0, 0, -20, 0, 0, 0], method="engine"), atol=1e-9)
        again = robot.equations(q, v, force=e.drive_force, wrench=[0, 0, -20, 0, 0, 0])
        np.testing.assert_allclose(again.drive_a, a, atol=1e-8)
        self.assertEqual(len(e.velocities), len(e.v))
        np.testing.assert_allclose(e.bodies["platform"].v, robot.matrices(q, v).J[:3] @ v, atol=1e-12)  # it does not turn
        self.assertEqual(set(e.reactions), set(robot.joints))
        for d, joint in enumerate(("A.motor", "B.motor", "C.motor")):
            np.testing.assert_allclose(e.joints[joint], (q[d], v[d]), atol=1e-12)

    def test_a_controller_holds_the_robot(self):
        robot = pkm.load(SIAX)
        home = robot.simulation(drives="free", motion="none").q
        asked = []

        def hold(t, q, v):
            asked.append(t)
            return robot_model.forces(q, 0 * v, 400 * (home - q) - 40 * v)

        robot_model = pkm.load(SIAX)
        run = {"for": "50 ms", "instants": 3, "motion": "none", "drives": "free"}
        rows = robot.simulate(run, controller=hold, period=1e-3)
        self.assertEqual(len(asked), 50)
        self.assertLess(max(abs(rows[f"{d}.q"][-1] - x) for d, x in zip(robot.drives, home)), 1e-4)
        with self.assertRaises(ZeroDivisionError):
            robot.simulate(run, controller=lambda t, q, v: [1 / 0] * 3)
        with self.assertRaises(ValueError):
            robot.simulate(run, controller=lambda t, q, v: [0.0])
        with self.assertRaises(pkm.NoAnswer):
            robot.simulate(run, controller=lambda t, q, v: [np.nan] * 3)


class OtherIntegrators(unittest.TestCase):
    def test_scipy_falls_as_the_simulation_does(self):
        try:
            from scipy.integrate import solve_ivp
        except ImportError:
            self.skipTest("no scipy")
        robot = pkm.load(SIAX)
        q0 = robot.simulation(drives="free", motion="none").q

        def rate(_, y):
            return np.concatenate([y[3:], robot.accelerations(y[:3], y[3:], np.zeros(3))])

        done = solve_ivp(rate, (0, 0.05), np.concatenate([q0, np.zeros(3)]), method="DOP853", rtol=1e-11, atol=1e-12)
        rows = robot.simulate({"motion": "none", "drives": "free", "for": "50 ms", "instants": 2})
        ours = [rows[f"{d}.q"][-1] for d in robot.drives]
        np.testing.assert_allclose(done.y[:3, -1], ours, atol=1e-9)
        self.assertGreater(abs(ours[0] - q0[0]), 1e-3)

    def test_steps_end_where_the_run_does(self):
        robot = pkm.load(SIAX)
        sim = robot.simulation(drives="free", motion="none")
        for _ in range(10):
            sim.step(2e-3)
        rows = robot.simulate({"motion": "none", "drives": "free", "for": "20 ms", "instants": 2})
        self.assertAlmostEqual(sim.read()["P.z"], rows["P.z"][-1], delta=1e-10)
        sim.rewind()
        self.assertEqual(sim.t, 0.0)


class Steps(unittest.TestCase):
    """Simulations in steps, as loops around them use them."""

    def test_back_to_a_state_of_before(self):
        robot = pkm.load(SIAX)
        sim, other = robot.simulation(drives="free", motion="none"), robot.simulation(drives="free", motion="none")
        sim.set_forces([1.0, -2.0, 3.0])
        sim.step(5e-3)
        state = sim.save()
        sim.step(5e-3)
        end, place = sim.read(), sim.poses["platform"]
        self.assertAlmostEqual(place[2], end["P.z"], delta=1e-12)
        for s in (sim, other):
            s.restore(state)
            self.assertEqual(s.t, 5e-3)
            s.step(5e-3)
            self.assertEqual(s.read(), end)
        with self.assertRaises(pkm.InputError):
            sim.restore(state[:-1])

    def test_references_lead_controlled_drives(self):
        sim = pkm.load(SIAX).simulation({"motion": "none", "drives": {"computed_torque": {"frequency": "40 Hz", "damping": 1}}})
        want = sim.q + [0.02, -0.01, 0.03]
        sim.set_references(want)
        for _ in range(20):
            sim.step(1e-2)
        np.testing.assert_allclose(sim.q, want, atol=1e-4)
        self.assertEqual(sim.warnings, [])
        with self.assertRaises(ValueError):
            sim.set_references([1.0])
        free = pkm.load(SIAX).simulation({"motion": "none", "drives": "free"})
        with self.assertRaisesRegex(pkm.InputError, free.drives[0]):
            free.set_references(want)

    def test_a_step_ends_where_surfaces_touch(self):
        sim = pkm.load(SIAX).simulation(clearance={"A.left1": {"radial": "0.1 mm", "radius": "10 mm", "stiffness": 1e8,
                                                               "start": "centred"}})
        self.assertTrue(sim.step_to_event(0.02))
        self.assertTrue(0 < sim.t < 0.02)
        self.assertAlmostEqual(sim.read()["A.left1.gap"], 0.0, delta=1e-10)


class Threads(unittest.TestCase):
    def test_the_lock_of_the_interpreter_is_released(self):
        """While a call without callbacks computes, this thread goes on."""
        robot, begun, counts = pkm.load(SIAX), threading.Event(), []
        q = np.zeros((60000, 3))

        def work():
            begun.set()
            counts.append(robot.forces(q, method="engine")[0, 0])

        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        turns = 0
        while not counts:
            turns += 1
            time.sleep(0)
        thread.join()
        self.assertGreater(turns, 1000)  # held, it comes to a few while the thread begins and ends

    def test_copies_and_states_of_one_robot_side_by_side(self):
        robot, out = pkm.load(SIAX), {}

        def work(k):
            mine = robot.copy()
            sim = robot.simulation(motion={"drives": {"qA": ["0 deg", "6 deg"]}, "law": "quintic", "duration": "20 ms"})
            sim.step(0.01)
            out[k] = (mine.inverse(motion="pick", instants=5)["qA.force"].tolist(), sim.q.tolist(),
                      robot.equations([0.1, 0, 0]).drive_force.tolist())

        for threads in ([0], [1, 2, 3]):
            made = [threading.Thread(target=work, args=(k,)) for k in threads]
            for t in made:
                t.start()
            for t in made:
                t.join()
        self.assertEqual([out[k] for k in (1, 2, 3)], [out[0]] * 3)

    def test_many_runs_with_motions_of_their_own(self):
        """They leave nothing behind in the robot."""
        robot = pkm.load(SIAX)
        for k in range(30):
            robot.inverse(motion={"drives": {"qA": [0, 0.001 * k]}, "law": "cubic", "duration": "1 s"}, instants=2)
        self.assertEqual(lib.pkm_robot_n_motion(robot._pointer), len(robot.motions))


class Docstrings(unittest.TestCase):
    def test_their_examples_run(self):
        """The indented lines of every docstring of the package."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(ROOT)
        names = {"pkm": pkm, "robot": pkm.load(SIAX), "controller": lambda t, q, v: -100.0 * v}
        n_run = 0
        for thing in [pkm] + [getattr(pkm, name) for name in pkm.__all__]:
            lines = inspect.getdoc(thing) or ""
            code = "\n".join(line[4:] for line in lines.split("\n") if line.startswith("    "))
            if code:
                exec(compile(code, f"docstring of {thing}", "exec"), dict(names))  # our own
                n_run += 1
        self.assertGreaterEqual(n_run, 3)


class Studies(unittest.TestCase):
    def test_a_sweep_is_that_of_the_program(self):
        """Payloads of the SIAX: the same numbers as the program; continued nothing is computed again."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "s.yaml"
            file.write_text(f"study: 1\nrobot: {SIAX}\nanalysis: inverse\ninstants: 11\n"
                            "sweep: {m5: [0 kg, 2 kg, 4 kg]}\noutputs: {force: {column: qA.force, measure: peak}}\n",
                            encoding="utf-8")
            answer = pkm.study(file, Path(folder) / "s.sqlite", processes=2)
            self.assertEqual(answer.values["cases"], 3)
            np.testing.assert_allclose(answer["m5"], [0, 2, 4])
            for mass, force in zip(answer["m5"], answer["force"]):
                rows = pkm.load(SIAX, m5=f"{mass} kg").inverse(instants=11)
                self.assertEqual(abs(rows.peak("qA.force").value), force)
            again = pkm.study(file, Path(folder) / "s.sqlite")
            self.assertEqual(again.values["finished_before"], 3)
            np.testing.assert_array_equal(again["force"], answer["force"])
            with self.assertRaises(pkm.InputError):
                pkm.study(Path(folder) / "no.yaml", Path(folder) / "t.sqlite")


class Page(unittest.TestCase):
    def test_the_page_is_true(self):
        """The code of docs/reference/python.md runs."""
        text = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
        names = {"controller": lambda t, q, v: -100.0 * v}
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(ROOT)
        for block in re.findall(r"```python\n(.*?)```", text, flags=re.S):
            exec(compile(block, "python.md", "exec"), names)  # our own page
        self.assertEqual(names["q"].shape, (2, 3))
        self.assertEqual(names["rows"].table.units["qA.force"], "N m")
        self.assertAlmostEqual(names["sim"].t, 0.1, delta=1e-12)


class Notebooks(unittest.TestCase):
    def test_their_cells_run_and_show_what_they_hold(self):
        """Every cell in its order, without Jupyter; a figure that is kept in the file is the one that comes out."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(ROOT)
        paths = sorted((ROOT / "examples/python").glob("*.ipynb"))
        self.assertEqual(len(paths), 2)
        for path in paths:
            book = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual(book["nbformat"], 4)
            names, figures = {}, 0
            for cell in book["cells"]:
                if cell["cell_type"] != "code":
                    continue
                *lines, last = "".join(cell["source"]).split("\n")
                exec(compile("\n".join(lines), path.name, "exec"), names)  # our own file
                value = eval(compile(last, path.name, "eval"), names)
                for output in cell["outputs"]:
                    kept = "".join(output["data"].get("image/svg+xml", []))
                    if kept:
                        figures += 1
                        self.same_picture(kept, value.svg)
            self.assertGreater(figures, 0, path)
            self.assertTrue(names["passed"], path)

    def same_picture(self, a, b):
        """To a pixel: numbers may differ by rounding elsewhere."""
        number = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
        self.assertEqual(number.sub("#", a), number.sub("#", b))
        for x, y in zip(number.findall(a), number.findall(b)):
            self.assertAlmostEqual(float(x), float(y), delta=1.0)

    def test_a_figure_goes_from_edge_to_edge(self):
        import xml.etree.ElementTree as ET
        rows = pkm.load(SIAX).inverse(instants=21)
        root = ET.fromstring(rows.figure("qA.force", "qB.force").svg)
        lines = [np.array([[float(x) for x in p.split(",")] for p in line.get("points").split()])
                 for line in root.iter("{http://www.w3.org/2000/svg}polyline")]
        self.assertEqual([len(line) for line in lines], [21, 21])
        both = np.concatenate(lines)
        np.testing.assert_allclose([both[:, 0].min(), both[:, 0].max()], [70, 620], atol=0.01)
        np.testing.assert_allclose([both[:, 1].min(), both[:, 1].max()], [20, 315], atol=0.01)
        self.assertEqual(int(np.argmin(lines[0][:, 1])), int(np.argmax(rows["qA.force"])))
        with self.assertRaises(KeyError):
            rows.figure("nothing")


class Errors(unittest.TestCase):
    def test_a_model_as_a_dict_and_its_mistakes(self):
        model = {"pkm": 1, "name": "pendulum", "gravity": [0, 0, "-9.81 m/s2"], "ground": {"points": {"O": [0, 0, 0]}},
                 "bodies": {"arm": {"points": {"O": [0, 0, 0]}, "mass": 1, "com": [1, 0, 0], "inertia": [1e-3] * 3}},
                 "joints": {"hinge": {"type": "revolute", "between": ["ground.O", "arm.O"], "axis": "y"}},
                 "drives": {"q": {"joint": "hinge"}}, "home": {"drives": {"q": 0}}}
        robot = pkm.parse(model)
        self.assertAlmostEqual(abs(robot.forces([0.0], method="engine")[0]), 9.81, delta=1e-12)
        model["bodies"]["arm"]["mas"] = 2
        with self.assertRaises(pkm.InputError) as caught:
            pkm.parse(model, "mine.yaml")
        self.assertEqual((caught.exception.file, caught.exception.line), ("mine.yaml", 1))
        self.assertGreater(caught.exception.column, 1)
        self.assertIn("did you mean 'mass'", str(caught.exception))

    def test_runs_are_checked(self):
        robot = pkm.load(SIAX)
        with self.assertRaisesRegex(pkm.InputError, "did you mean 'friction'"):
            robot.simulate(frction={})
        with self.assertRaisesRegex(pkm.InputError, "friction"):
            robot.modes(friction={"spherical": {"static": 0.1, "radius": "1 cm"}})
        with self.assertRaises(pkm.InputError):
            pkm.load("no such file.yaml")
        with self.assertRaises(KeyError):
            robot.inverse(instants=2)["nobody.q"]

    def test_nothing_that_is_asked_is_dropped(self):
        """Wrong types, sizes and wishes without their partner have no answer that looks right."""
        robot = pkm.load(SIAX)
        for wrong in (5, [1], True):
            with self.assertRaises(TypeError):
                robot.simulate(wrong)
        with self.assertRaises(ValueError):
            robot.simulate(motion="none", drives="free", period=1e-3)
        for wrench in ([1, 2, 3, 4], [1, 2, 3], [[1, 2, 3, 4, 5, 6]]):
            with self.assertRaises(ValueError):
                robot.dynamics([0, 0, 0], [0, 0, 0], wrench=wrench)
        for given in (["m5=8 kg", "m5=1 kg"], ["m5=8 kg", "m4=1 kg", "m5=8 kg"]):
            with self.assertRaises(pkm.InputError) as raised:
                pkm.call("inverse", SIAX, set=given)
            self.assertIn("--set m5: given twice", str(raised.exception))

    def test_a_run_that_ends_early_has_its_rows(self):
        with self.assertRaises(pkm.NoAnswer) as caught:
            pkm.load(SIAX).simulate({"budget": {"steps": 4}, "max_step": "1 ms", "for": "50 ms"})
        self.assertEqual(caught.exception.status, "PKM_ERR_BUDGET")
        self.assertGreater(len(caught.exception.answer), 0)
        self.assertFalse(caught.exception.answer.is_complete)

    def test_progress_and_interrupt(self):
        robot, seen = pkm.load(SIAX), []
        robot.inverse(instants=5, progress=seen.append)
        self.assertGreater(len(seen), 2)
        with self.assertRaises(pkm.Error) as caught:
            robot.inverse(progress=lambda fraction: fraction < 0.5)
        self.assertEqual(caught.exception.status, "PKM_ERR_INTERRUPTED")
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            robot.inverse(instants=5000000)
        self.assertLess(time.monotonic() - begin, 20.0)

    def test_json_is_the_answer(self):
        answer = pkm.load(SIAX).inverse(instants=3)
        told = answer.dict(rows=True)
        self.assertEqual(told["values"]["energy.drive_work"]["value"], answer.values["energy.drive_work"])
        self.assertEqual(told["tables"]["rows"]["rows"][2], list(answer.table.array[2]))


if __name__ == "__main__":
    unittest.main()
