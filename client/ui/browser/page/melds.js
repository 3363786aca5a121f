// Makes what lies on a table of Kínaskák: a mat for each player with its melds, the open card, and the tray of what a round asks for.
"use strict";

const CROWD = 7; // seats with melds, and seats, that have room above each other on a small phone
const ROW = 7, WIDE = 5, TORN = 9; // cards of a row of a hand, and of large cards; a torn group is worth so many squares of uneven rows

// The cards with which the rows of a hand begin, in so many rows: even ones, and groups whole; its longest row, and the most gaps of one.
function folds(cards, rows, from = 0) {
  let best = { cost: Infinity };
  for (let to = rows > 1 ? from + 1 : cards.length; to <= cards.length && to - from <= ROW; to += 1) {
    const more = to < cards.length ? folds(cards, rows - 1, to) : { cost: 0, longest: 1, gaps: 1, begins: [] };
    const cost = (to - from) ** 2 + (to === cards.length || cards[to].begins ? 0 : TORN) + more.cost, gaps = cards.slice(from + 1, to).filter(({ begins }) => begins).length;
    if (cost < best.cost) best = { cost, longest: Math.max(to - from, more.longest), gaps: Math.max(gaps, more.gaps), begins: from ? [from, ...more.begins] : more.begins };
  }
  return best;
}

// Upright the hand lies in rows: of small cards, and of large ones where there is room for more rows.
function rowsOf(node, cards, kept) {
  const few = Math.ceil(kept / ROW), many = Math.max(few, Math.min(3, Math.ceil(kept / WIDE))), slots = [...node.children], named = {};
  for (const [name, rows] of [["few", few], ["many", many]]) {
    const { longest, gaps, begins } = folds(cards, rows);
    for (const [what, number] of [["rows", rows], ["per", longest], ["gaps", gaps]]) node.style.setProperty(`--${name}-${what}`, number);
    for (const place of begins) named[place] = `${named[place] ?? "i.fold"}.${name}`;
  }
  for (const [place, name] of Object.entries(named)) slots[place].before(h(name, { "aria-hidden": "true" }));
}

const owned = (zones, number) => zones.filter(({ kind, seats: [owner = 0] = [] }) => kind === "meld" && owner === number);

// A meld is as wide as its cards; the style sheet makes them as large as all melds of a mat fit.
function meld(zone) {
  const laid = (zone.cards ?? []).map((one) => {
    const node = mini(one);
    if (one.id.startsWith("slot:")) node.dataset.card = one.id;
    node.classList.toggle("picked", one.state === "picked");
    return node;
  });
  const name = `meld${zone.state ? `.${zone.state}` : ""}`, inside = [zone.count && h("i.which", { "aria-hidden": "true" }, zone.count), laid];
  if (zone.acts) return h(`button.${name}`, { ...named_(zone.acts[0]), "aria-label": zone.acts[0].label }, inside);
  return h(`span.${name}`, { "data-id": zone.id, role: "group", "aria-label": zone.name || zone.label }, inside);
}

function melds(zones) {
  const node = h("div.melds", { "data-id": "melds" }, zones.map(meld)), cards = zones.map((zone) => zone.cards.length);
  node.style.setProperty("--all", cards.reduce((sum, one) => sum + one, 0.2));
  node.style.setProperty("--melds", cards.length);
  node.style.setProperty("--longest", Math.max(1, ...cards));
  return node;
}

function mat(seat, zones) {
  const number = seat.number ?? 0, mine_ = owned(zones, number), known = seat.cards ?? [];
  return h(`section.mat${mine_.length ? "" : ".empty"}`, { "data-id": seat.id, "data-seat": number, "aria-label": seat.name },
    h(`div${seatClass(seat)}`, {}, who(seat), known.length > 0 && h("span.known", {}, seat.held, known.map(mini)), seat.remark && h("p.bubble", {}, seat.remark)),
    h("div.mat-in", {}, melds(mine_)));
}

function heapOf(zone, cards, rest) {
  const inside = [rest, h("span.under", {}, cards)];
  return zone.acts ? h(`button.pile.${zone.kind}`, { ...named_(zone.acts[0]), "aria-label": sentence(zone.acts[0].label) }, inside) : h(`div.pile.${zone.kind}`, { "data-id": zone.id }, inside);
}

function opened(zone) {
  const lying = zone.cards ?? [], top = lying.at(-1);
  const below = lying.slice(0, -1).map(card), seen = top && card(top);
  if (seen) Object.assign(seen.dataset, { card: top.id });
  seen?.setAttribute("aria-label", top.name);
  return heapOf(zone, h("span.what", {}, zone.label), h(`span.heap.french${top ? "" : ".none"}`, {}, below, seen && h("span.slot", { "data-id": top.id, role: "img", "aria-label": top.name }, seen)));
}

// Above our hand: what we have laid, or what a round asks for.
function tray(zones, number) {
  const wants = zones.filter(({ kind }) => kind === "want"), own = owned(zones, number);
  if (own.length) return h("div.tray.own", { "data-id": "own" }, h("div.mat-in", { "data-seat": number }, melds(own)));
  return wants.length > 0 && h("div.tray", { "data-id": "tray" }, wants.map((zone) => (zone.state === "lacks" ? h("span.lacks", { "data-id": zone.id }, zone.label, " ", zone.cards?.map(mini)) : h(`span.want${zone.state ? `.${zone.state}` : ""}${zone.cards ? ".ready" : ""}`, { "data-id": zone.id },
    h("em", {}, zone.label), zone.cards && meld({ ...zone, id: `${zone.id}:cards`, state: "" })))));
}

// Where the melds of all need more room than there is: that there are more, and the last one that takes the picked card.
function showMelds() {
  const box = at.view.querySelector(".mats"), takes = [...(box?.querySelectorAll("button.meld") ?? [])].at(-1);
  box?.classList.toggle("cut", box.scrollHeight > box.clientHeight + 2);
  if (takes && box.classList.contains("cut")) box.scrollTop += takes.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom + 30;
}

function mats(table) {
  const [, ...others] = table.seats, zones = table.zones ?? [];
  const stock = zones.find(({ kind }) => kind === "stock"), open = zones.find(({ kind }) => kind === "open");
  const laid = others.filter(({ number = 0 }) => owned(zones, number).length > 0).length;
  const strips = h(`div.mats${laid ? ".met" : ""}${laid + others.length > CROWD ? ".full" : ""}`, { "data-id": "mats", tabindex: "0" }, others.map((seat) => mat(seat, zones)));
  strips.style.setProperty("--laid", Math.max(1, laid));
  strips.style.setProperty("--lines", others.length);
  strips.style.setProperty("--known", others.filter(({ held }) => held).length);
  return [strips,
    h("div.middle", { "data-id": "middle" },
      stock && heapOf(stock, [h("b", {}, stock.count ?? 0), " ", h("span.what", {}, stock.label)], heap(stock)), open && opened(open))];
}
