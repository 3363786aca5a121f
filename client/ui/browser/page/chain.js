// Where the tiles of a line of dominoes lie: the only coordinates that the script makes. The line grows from its first tile
// both ways and winds: at the edge one tile turns the corner, and the next row runs back. One unit is half a tile; of all
// widths the one that shows the tiles largest is taken.
"use strict";

const MOST_UNIT = 64, LEAST = 3, WIDEST = 26, TIGHT = 0.965; // pixels of a unit; the fewest units from the first tile to an edge, and how many more are tried; and how much of its place a tile fills
const MARK = 1.2, LEAST_MARK = 18, MOST_MARK = 28; // the number at an end: its size in units, and in pixels
const TARGET = 44; // pixels of a place that can be tapped

const mostOf = (numbers) => Math.max(...numbers), leastOf = (numbers) => Math.min(...numbers);

// Lay tiles of [near, far] from `start` on, at first towards `going`; rows follow each other towards `way`.
function arm(tiles, start, going, way, edges) {
  let x = start, y = 0, dir = going, last = 1;
  return tiles.map(([near, far]) => {
    const double = near === far, long = double ? 1 : 2;
    if (!double && (x + dir * long) * dir > edges[dir]) {
      const corner = { x: x - dir / 2, y: y + way * (last / 2 + 1), turn: near >= far === way > 0 ? 0 : 180 };
      x -= dir;
      y += way * (last / 2 + 1.5);
      dir = -dir;
      last = 1;
      return corner;
    }
    const tile = { x: x + (dir * long) / 2, y, turn: double ? 0 : near >= far === dir > 0 ? -90 : 90 };
    x += dir * long;
    last = double ? 2 : 1;
    return tile;
  });
}

// The places of all tiles, and of one that may be laid at either end.
function wound(row, first, ends, edges) {
  const [left, right] = row[first] ?? ends.opening, wide = left === right ? 0.5 : 1;
  const after = row.slice(first + 1), before = row.slice(0, first).reverse().map(([a, b]) => [b, a]);
  const forwards = arm([...after, ...(ends.right ? [ends.right] : [])], wide, 1, 1, edges);
  const backwards = arm([...before, ...(ends.left ? [ends.left] : [])], -wide, -1, -1, edges);
  const places = { right: ends.right && forwards.pop(), left: ends.left && backwards.pop() };
  places.tiles = [...backwards.reverse(), { x: 0, y: 0, turn: wide < 1 ? 0 : left >= right ? -90 : 90 }, ...forwards];
  return places;
}

// The number at an end: in its lit place, or beyond the last tile, so that it hides no pip.
function marked(found, row, end, size) {
  const left = end === "left", [tile, next] = left ? found.tiles : [...found.tiles].reverse(), [near, far] = row.at(left ? 0 : -1), ghost = found[end];
  const [dx, dy] = ghost ? [ghost.x - tile.x, ghost.y - tile.y] : next ? [tile.x - next.x, tile.y - next.y] : [0, 0];
  const double = near === far, upright = tile.turn % 180 === 0, reach = (double ? 0.5 : 1) + 0.46 * size;
  if (ghost) {
    const [axis, sign] = Math.abs(dx) > Math.abs(dy) ? ["x", Math.sign(dx)] : ["y", Math.sign(dy)], along = (axis === "x") === (ghost.turn % 180 !== 0);
    return { x: ghost.x, y: ghost.y, [axis]: ghost[axis] - sign * ((along ? 1 : 0.5) - 0.56 * size) };
  }
  if (upright === double) return { x: tile.x + (Math.sign(dx) || (left ? -1 : 1)) * reach, y: tile.y };
  return { x: tile.x, y: tile.y + (Math.sign(dy) || 1) * reach };
}

function largest(row, first, ends, { width, height }) {
  let best = { unit: 0 };
  for (let space = 0; space < WIDEST * WIDEST; space += 1) {
    const edges = { 1: LEAST + (space % WIDEST), [-1]: LEAST + Math.floor(space / WIDEST) }, found = wound(row, first, ends, edges), boxes = [...found.tiles, found.left, found.right].filter(Boolean).map(({ x, y, turn }) => [x, y, ...(turn % 180 ? [1, 0.5] : [0.5, 1])]);
    if (row.length) boxes.push(...["left", "right"].map((end) => marked(found, row, end, MARK)).map(({ x, y }) => [x, y, MARK / 2, MARK / 2]));
    const [x, y] = [0, 1].map((axis) => [leastOf(boxes.map((one) => one[axis] - one[axis + 2])), mostOf(boxes.map((one) => one[axis] + one[axis + 2]))]);
    const spare = ends.left || ends.right ? TARGET / 2 : 4, unit = Math.min((width - spare) / (x[1] - x[0]), (height - spare) / (y[1] - y[0]), MOST_UNIT);
    if (unit >= best.unit) best = { ...found, unit, x: (x[0] + x[1]) / 2, y: (y[0] + y[1]) / 2 };
  }
  return best;
}

// A tile is drawn upright, with its higher number above; the drawing is turned, so that its box stays the one that is seen.
function turned(svg, turn) {
  const along = turn % 180 !== 0, use = svg.firstElementChild;
  svg.setAttribute("viewBox", along ? "0 0 100 50" : "0 0 50 100");
  svg.classList.toggle("along", along);
  for (const [name, value] of [["width", 50], ["height", 100]]) use.setAttribute(name, value);
  use.setAttribute("transform", { 0: "", 180: "rotate(180 25 50)", 90: "translate(100) rotate(90)", [-90]: "translate(0 50) rotate(-90)" }[turn]);
  return svg;
}

let lined = null; // the table whose line is laid

function layLine() {
  const box = at.view.querySelector(".chain"), zone = box && lined.zones.find(({ kind }) => kind === "chain");
  const nodes = box ? [...box.querySelectorAll(".slot")] : [];
  if (!box || (!nodes.length && !zone.acts)) return;
  const { row = [], start = 0, acts = [] } = zone, { width, height } = box.getBoundingClientRect();
  const [high, low] = (lined.hand ?? []).find(({ state = "" }) => state.includes("picked"))?.face.split("-").map(Number) ?? [];
  const ends = { opening: [high, low] }, numbers = { left: row[0]?.[0], right: row.at(-1)?.[1] };
  for (const end of ["left", "right"]) if (acts.some(({ id }) => id === `end:${end}`)) ends[end] = [numbers[end], high + low - numbers[end]];
  const best = largest(row, start, ends, { width: Math.max(40, width), height: Math.max(40, height) }), { unit } = best;
  const put = (node, { x, y }, wide, high_) => Object.assign(node.style, {
    left: `${width / 2 + (x - best.x) * unit - wide / 2}px`, top: `${height / 2 + (y - best.y) * unit - high_ / 2}px`, width: `${wide}px`, height: `${high_}px`,
  });
  const sides = ({ turn }) => (turn % 180 ? [2 * unit, unit] : [unit, 2 * unit]);
  nodes.forEach((node, at_) => {
    const tile = best.tiles[at_], [wide, high_] = sides(tile);
    put(node, tile, wide * TIGHT, high_ * TIGHT);
    turned(node.firstElementChild, tile.turn);
  });
  for (const node of box.querySelectorAll(".ghost")) {
    const place = best[node.dataset.end] ?? best.tiles[0], [wide, high_] = sides(place);
    put(node, place, Math.max(TARGET, wide), Math.max(TARGET, high_));
    Object.assign(node.firstElementChild.style, { width: `${wide * TIGHT}px`, height: `${high_ * TIGHT}px` });
  }
  const mark = Math.max(LEAST_MARK, Math.min(MARK * unit, MOST_MARK));
  for (const node of box.querySelectorAll(".endmark")) {
    put(node, marked(best, row, node.dataset.end, mark / unit), mark, mark);
    node.style.fontSize = `${Math.max(13, mark * 0.58)}px`;
  }
}

window.addEventListener("resize", layLine);
