// Numbers for people: pages choose the unit of a value as the program does (tests/data/units.csv).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, root, run } from "./browser.mjs";
import { quantity, scaleFor } from "../../web/src/units.js";

const plain = (unit) => unit.replaceAll("·", " ").replaceAll("²", "2").replaceAll("µ", "u").replaceAll("°", "deg");

await run({
  async every_value_has_the_unit_of_the_table() {
    const rows = readFileSync(join(root, "tests/data/units.csv"), "utf8").trim().split("\n").slice(1).map((line) => line.split(","));
    assert.ok(rows.length > 20);
    for (const [unit, value, shown, as] of rows) {
      const scale = scaleFor(unit, Number(value));
      assert.equal(plain(scale.unit), as, `${value} ${unit}`);
      assert.ok(Math.abs(scale.factor * value - shown) <= 1e-12 * Math.abs(shown), `${value} ${unit}: ${scale.factor * value}`);
    }
    assert.equal(quantity(0.000562, "N m", 4), "562.0\u00a0µN·m"); // never 0.0005620 kN m
  },
});
