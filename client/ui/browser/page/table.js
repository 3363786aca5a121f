// Makes the elements of a table of a match (client/ui/view/table_parts.py). The style sheets say where they lie. It knows no rule of any game.
"use strict";

// Where the others sit, in playing order from the one after the nearest seat: play goes round to the right.
const ROUND = ["", "n", "e w", "e n w", "e2 e w w2", "e2 e n w w2"];
const SPOTS = ["", "bank", "d a", "d bank a", "e d a b", "e d bank a b", "f e d a b c", "f e d bank a b c"];
const FIELDS = {
  escoba: ["escoba", ROUND], "siete-y-media": ["siete", SPOTS], kinaskak: ["kinaskak"], truco: ["truco", ROUND], domino: ["domino", ROUND],
};
const SHORT = 9; // letters of a name that has room beside the points on a phone
const MANY = 5; // others from which on a table is crowded
const POINT = /^[.,:;?!)]+/;
const MOST_CALLED = 18; // letters of a call that stands beside the last move

// Text, in which cards are small cards; no line begins with the point after one.
const text = (part) => (Array.isArray(part) ? part.map((one, place) => {
  if (typeof one === "string") return prose(place ? one.replace(POINT, "") : one);
  const [point] = POINT.exec(part[place + 1]) ?? [];
  return point ? h("span.kept", {}, mini(one), point) : mini(one);
}) : prose(part ?? ""));

const aloud = (part) => (Array.isArray(part) ? part.map((one) => one.name ?? one).join("") : part);

// A joker has the card for which it stands behind it, or the rank alone in a set.
function mini({ kind, face, name }) {
  if (kind === "domino") return h("span.mini.tile", { role: "img", "aria-label": name }, turned(card({ kind, face }), -90));
  if (kind === "meld") return h("i.which", { role: "img", "aria-label": name }, face);
  const wild = face.startsWith("*"), [, rank, suit] = /^\*?(\d*[A-Z]?)([a-z]?)$/.exec(face);
  const id = wild ? "french-star" : `${kind[0]}-${suit}`;
  if (!document.getElementById(id)) wantDrawings(kind);
  const corner = rank === "T" ? "10" : words.corners["AJQK".indexOf(rank || " ")] ?? rank;
  return h(`span.mini${wild ? ".wild" : ""}`, { role: "img", "aria-label": name, "data-suit": `${kind}-${suit}` }, corner, drawn(id, ""));
}

// The colour of a seat: ours is the same one at every table.
let nearest = 0, chairs = 1;
const tint = (seat) => (seat - nearest + chairs) % chairs;

const disc = ({ number = 0, name = "", mark, machine }) => h("span.disc", { "aria-hidden": "true", "data-n": tint(number) },
  h("span", {}, [...name][0]?.toUpperCase() ?? ""), mark && h("span.mark", {}, icon(mark === "bank" ? "bank" : "chip")),
  machine && h("span.through", { title: machine }, icon("phone")));

const discOf = (seat = 0, seats) => disc({ ...seats.find(({ number = 0 }) => number === seat), mark: "", machine: "" });

// The discs of a side: of partners all of them.
const discs = ({ side, number }, seats) => (side ? seats.filter((seat) => seat.side === side).map((seat) => disc({ ...seat, mark: "", machine: "" })) : discOf(number, seats));

const sideOf = (one) => (one.side ? `.team-${one.side}` : "");

// Cards.

const STATES = ["advised", "taken", "barred", "wins", "won", "lost", "last"]; // those that can be seen on any card

function slot(one, hidden = false) {
  const svg = card(one), states = (one.state ?? "").split(" "), name = STATES.filter((state) => states.includes(state)).map((state) => `.${state}`).join("");
  svg.dataset.card = one.id;
  const worth = one.worth && h("i.worth", { "aria-hidden": "true" }, one.worth);
  const veil = states.includes("veiled") && h("i.veiled", {}, icon("eye"));
  const names = `slot${name}${one.begins ? ".begins" : ""}`;
  if (!one.click) return h(`span.${names}`,
    { "data-id": one.id, role: hidden ? undefined : "img", "aria-label": hidden ? undefined : one.name, "aria-hidden": hidden }, svg, worth, veil);
  return h(`button.${names}`,
    { ...named_(one), "data-drags": Boolean(one.drags), "aria-label": one.name, title: states.includes("picked") && one.name, "aria-pressed": String(states.includes("picked") || states.includes("taken")) }, svg, worth, veil);
}

function counted(element, cards, most_ = cards) {
  element.style.setProperty("--n", Math.max(1, cards));
  element.style.setProperty("--kept", Math.max(1, most_));
  return element;
}

// Cards on the table keep their places: one that goes leaves a gap, and the next one that is laid goes into the first gap.
let laid = { deal: 0, ids: [] };

function places(cards, deal) {
  const now = cards.map(({ id }) => id);
  const ids = laid.deal === deal ? laid.ids.map((id) => (now.includes(id) ? id : null)) : [];
  for (const id of now) {
    if (ids.includes(id)) continue;
    const gap = ids.indexOf(null);
    if (gap < 0) ids.push(id);
    else ids[gap] = id;
  }
  while (ids.length && ids.at(-1) === null) ids.pop();
  laid = { deal, ids: ids.length > 2 * now.length ? now : ids };
  return laid.ids.map((id) => cards.find((one) => one.id === id) ?? null);
}

// The place of a hand is as large as the most cards of a deal need, or of the rest of a deal when we have laid down.
let longest = { deal: "", move: 0, most: 0 };

function most(cards, { game, deal, trace, seats: [me], zones = [] }) {
  const now_ = { deal: `${game} ${deal} ${owned(zones, me.number ?? 0).length > 0}`, move: Number(trace?.number ?? 0), most: cards };
  longest = longest.deal === now_.deal && longest.move <= now_.move ? { ...now_, most: Math.max(longest.most, cards) } : now_;
  return longest.most;
}

const ZONES = {
  spread: (zone, deal) => {
    const lying = places(zone.cards ?? [], deal);
    return counted(h("div.spread", { "data-id": zone.id, role: "group", "aria-label": words.table },
      zone.label && h("p.nothing", {}, zone.label),
      lying.map((one, place) => (one ? slot(one) : h("span.slot.gap", { "data-id": `gap:${place}`, "aria-hidden": "true" }, card({ kind: "spanish" }))))), lying.length);
  },
  stock: (zone) => {
    const inside = [heap(zone), h("span", {}, h("b", {}, zone.count ?? 0), ` ${zone.label ?? ""}`)], [draw] = zone.acts ?? [];
    return draw ? h("button.pile.stock", { ...named_(draw), title: sentence(draw.label) }, inside) : h(`div.pile.stock${zone.state ? `.${zone.state}` : ""}`, { "data-id": zone.id }, inside);
  },
  chain: (zone) => h("div.chain", { "data-id": zone.id, role: "group", "aria-label": words.table }, zone.label && !zone.acts && h("p.nothing", {}, zone.label),
    (zone.cards ?? []).map((one) => slot(one)),
    (zone.acts ?? []).map((one) => h("button.ghost", { ...named_(one), "aria-label": aloud(one.label), "data-end": one.id.slice(4) }, h("i"))),
    zone.row && ["left", "right"].map((end) => h(`b.endmark${(zone.acts ?? []).some(({ id }) => id === `end:${end}`) ? ".goal" : ""}`, { "data-id": `mark:${end}`, "data-end": end },
      end === "left" ? zone.row[0][0] : zone.row.at(-1)[1]))),
  pile: (zone) => h("div.pile.mypile", { "data-id": zone.id, "data-seats": (zone.seats ?? []).join(" ") }, heap(zone),
    h("span", {}, h("b", {}, zone.count ?? 0), ` ${zone.label ?? ""}`)),
};

function heap({ cards = [], across = 0 }) {
  const kind = cards[0]?.kind ?? "spanish", lying = Array.from({ length: across }, () => {
    const svg = card({ kind });
    svg.classList.add("sweep");
    return svg;
  });
  return h(`span.heap.${kind}${cards.length ? "" : ".none"}`, { "aria-hidden": "true" }, lying, cards.map(card));
}

// Seats.

function who(seat, name = seat.name) {
  const lines = (seat.lines ?? []).map((line, place) => h(`span${seat.you && !place ? ".you" : line === seat.why ? ".why" : ""}`, {}, place ? h("i.dot", {}, " · ") : "", line));
  const face = disc(seat);
  if (seat.first && !seat.side) face.append(icon("crown")); // of partners the score has it
  if (seat.deals) face.append(h("span.deals", { title: seat.deals }, icon("deal")));
  return h("div.who", {}, face, h("div.tag", {}, h("b.name", {}, name), [seat.machine, seat.first, seat.deals].map((one) => one && h("span.unseen", {}, `, ${one}`)),
    h("small", {}, lines)));
}

const seatClass = (seat) => `.seat${sideOf(seat)}${seat.state ? `.${seat.state}` : ""}`;

function purse({ chips, chips_name: name }, said = chips) {
  if (!chips) return "";
  const rolls = [["ten", Math.floor(chips / 10)], ["five", Math.floor((chips % 10) / 5)], ["one", chips % 5]];
  return h("span.purse", { role: "img", "aria-label": name },
    rolls.filter(([, count]) => count).map(([worth, count]) => h("span.chips", { "aria-hidden": "true" }, Array.from({ length: Math.min(count, 5) }, () => h(`i.${worth}`)))),
    h("b", { "aria-hidden": "true" }, said));
}

function other(seat, place) {
  const bubble = seat.remark && h("p.bubble", {}, seat.remark), cards = seat.cards ?? [];
  if (!seat.open) return h(`section${seatClass(seat)}.seat-${place}`, { "data-id": seat.id, "data-seat": seat.number ?? 0, "aria-label": seat.name },
    who(seat), cards.length > 0 && h("span.held.arc", { role: "img", "aria-label": seat.held }, cards.map((one) => slot(one, true))), bubble);
  return h(`div.spot.spot-${place}${seat.state === "over" ? ".over" : ""}`, { "data-id": seat.id, "data-seat": seat.number ?? 0 },
    h(`section${seatClass(seat)}`, { "aria-label": seat.name }, who(seat), bubble),
    h("div.lay", {}, cards.length > 0 && h("div.fan.tight", {}, cards.map((one) => slot(one))), seat.total && h("b.total", {}, seat.total), purse(seat)));
}

// Cards in tricks lie before whoever has played them; ours lie on the table too.
const lane = (seat) => h("div.lane", { "data-id": `lane:${seat.number ?? 0}` }, (seat.played ?? []).map((one) => slot(one)),
  Array.from({ length: 3 - (seat.played ?? []).length }, () => h("i.bed", { "aria-hidden": "true" }))); // three tricks

// We have a box among them.
const ourBox = (seat) => h(`div.seat.own${sideOf(seat)}`, {},
  who({ ...seat, deals: "", lines: seat.you ? seat.lines?.slice(1) : seat.lines }, seat.you ? words.you : seat.name));

const placed = (seat, place, inside) => h(`div.place.place-${place}${sideOf(seat)}`, { "data-id": `place:${seat.number ?? 0}` }, inside, lane(seat));

function tricks({ label, marks }) {
  return h("span.deal", { "data-id": "tricks" }, h("span.tricks", { role: "group", "aria-label": label }, marks.map(([state, name]) => h(`i.${state || "none"}`, { role: "img", "aria-label": name }))),
    h("small", { "aria-hidden": "true" }, label));
}

// Our side of the table.

// What is asked; or a call that waits for its answer, with whoever has called.
function asked({ words: said, more, sum, style, cry, seat, aim, done }, seats) {
  const caller = cry && seats.find(({ number = 0 }) => number === (seat ?? 0));
  return h(`p.say${style ? `.${style}` : ""}${!cry && (aim || style === "lesson") ? ".coach" : ""}${cry ? `.banner${sideOf(caller)}` : ""}`, { "data-id": "say", "aria-live": "polite" }, cry && disc({ ...caller, mark: "", machine: "" }),
    h("strong", {}, cry ?? sentence(said ?? "")), " ", sum && h("span.sum", {}, sum), " ", more && h("span", {}, text(more)),
    done && h("progress", { value: done[0] + 0.5, max: done[1], "aria-label": said })); // the present one is half done
}

// In a sentence of text, the name of whoever moved stands out.
function naming(name, sentence_) {
  for (const part of sentence_.childNodes) {
    const place = part.data?.indexOf(name) ?? -1;
    if (place < 0 || /\p{L}/u.test(part.data.charAt(place + name.length))) continue;
    const rest = part.splitText(place);
    rest.splitText(name.length);
    rest.replaceWith(h("b", {}, name));
    break;
  }
  return sentence_;
}

// The last move, and what was called with it; a call in a sentence stands in its place.
function lastMove({ call, trace, seats }) {
  const told = Array.isArray(call) || call?.length > MOST_CALLED, mover = seats.find(({ number = 0 }) => number === (trace?.seat ?? 0));
  const moved = !told && trace?.text && [discOf(trace.seat, seats), naming(mover.name, h("span", {}, text(trace.text)))];
  return (moved || call) && h(`p.trace${moved ? sideOf(mover) : ""}`, { "data-id": "trace" }, moved, call && h(told ? "span.told" : "strong.shout", {}, text(call)));
}

function mine(table, notice) {
  const [me] = table.seats, { prompt } = table, cards = arranged(table.hand ?? [], table.deal);
  const [grave, others] = [true, false].map((asks) => (table.actions ?? []).filter(({ ask }) => Boolean(ask) === asks)); // what is asked once more lies apart
  const hand = counted(h(`div.hand.${table.game === "domino" ? "tiles" : "fan"}`, { "data-id": "hand", role: "group", "aria-label": me.you ? words.hand : me.name }, cards.map((one) => slot(one))), cards.length, most(cards.length, table));
  hand.style.setProperty("--groups", Math.max(1, cards.filter(({ begins }) => begins).length));
  if (table.game === "kinaskak") rowsOf(hand, cards, most(cards.length, table));
  const node = h(`section.mine${me.you ? "" : ".watched"}`, { "data-id": "mine", "aria-label": me.you ? words.mine : me.name },
    h("p.note", { "data-id": "note", role: "status", hidden: !notice }, text(notice)),
    lastMove(table),
    prompt ? asked(prompt, table.seats) : h("p.say", { "data-id": "say" }),
    tray(table.zones ?? [], me.number ?? 0),
    h(`div.me${seatClass(me)}`, { "data-id": me.id, "data-seat": me.number ?? 0 }, who(me), purse(me, me.chips_name), (table.zones ?? []).filter(({ kind }) => kind === "tricks").map(tricks),
      me.fact && h("span.fact", {}, `${me.fact[0]} `, h("b", {}, me.fact[1])), grave.map((one) => action(one)), me.remark && h("p.bubble", {}, me.remark)),
    hand,
    h("div.actions", { "data-id": "actions" }, others.map((one) => action(one))),
    table.undo && h("button", { ...named_(table.undo), hidden: true }, table.undo.label));
  const aimed = prompt?.aim && node.querySelector(`[data-id="${CSS.escape(prompt.aim)}"]`); // a lesson points at it
  if (aimed) (aimed.closest("details")?.firstChild ?? aimed).append(h("i.pointer", { "aria-hidden": "true" }));
  return node;
}

// The end of a match.

function ending(table, notice) {
  const { title, lines = [], won = [], ranks = [], places = [], unit, cards: fan = [] } = table.ending;
  const winners = table.seats.filter(({ number = 0 }) => won.includes(number));
  const partners = ({ side }) => table.seats.filter((seat) => side && seat.side === side).map(({ name }) => name);
  return h(`div.end-in${winners.some(({ you }) => you) ? ".ours" : ""}`, { "data-id": "ending" },
    h("section.victory", { "data-id": "won" }, h(`span.wreath${winners.length ? sideOf(winners[0]) : ""}`, { "aria-hidden": "true" }, drawn("i-olive", "olive"), winners.slice(0, 3).map((seat) => disc({ ...seat, mark: "" })), drawn("i-olive", "olive flip")),
      h(`h2${title.length > 18 ? ".long" : ""}`, {}, title), [...lines, notice].filter(Boolean).map((line) => h("p.how", {}, text(line))), h("span.trophy", { "aria-hidden": "true" }, fan.map(card))),
    h("ol.ranks", { "data-id": "ranks", tabindex: "0", "data-unit": unit }, ranks.map((one, place) => h(`li${sideOf(one)}${places[place] === 1 ? ".first" : ""}`, { "data-rank": places[place] }, h("span.row", {}, discs(one, table.seats)), h("span", {}, h("b.name", {}, sentence(one.name)), partners(one).length > 1 && h("small.dim", {}, partners(one).join(" · "))), h("span.pts", {}, one.points)))),
    h("div.end-actions", { "data-id": "actions" }, (table.actions ?? []).map((one) => action(one))));
}

// All of it.

function scores({ score, seats }) {
  const alone = (side) => seats.filter((one) => one.side === side).length < 2;
  const shown_ = (one) => (!one.side ? discOf(one.number, seats) : alone(one.side) ? disc({ ...seats.find(({ side }) => side === one.side), mark: "", machine: "" }) : one.name.length > SHORT ? h("span.people", {}, discs(one, seats)) : h(`span.sign.${one.side}`));
  return score && h("div.score", { "data-id": "score", role: "group", "aria-label": words.score },
    score.map((one) => h(`span${sideOf(one)}${one.name.length > SHORT ? ".long" : ""}`, {}, shown_(one), h("small.name", {}, sentence(one.name)), seats.some(({ first, side }) => first && side && side === one.side) && icon("crown"), one.tally && tally(one.tally), h("b", {}, one.points))));
}

// Points as matches on the table: four sides of a square and a fifth one across it; those of the second half apart.
const tally = (halves) => h("span.tally", { "aria-hidden": "true" }, halves.map((groups) => h("span", {}, groups.map((strokes) => drawn(`i-tally-${strokes}`, "stroke")))));

function tableView(view) {
  const { table } = view, covered = Boolean(view.sheet), [name, chairs] = FIELDS[table.game];
  const [, ...others] = table.seats, at_ = chairs?.[others.length].split(" ");
  const crowd = others.length >= MANY ? (chairs === ROUND ? ".six" : others.length > MANY ? ".eight" : "") : others.length < 2 ? ".two" : others.length < 3 ? ".three" : "";
  const lanes = (table.zones ?? []).some(({ kind }) => kind === "tricks");
  return [
    h("header.top", { "data-id": "top", inert: covered },
      h("div.where", {}, h("h1", {}, view.heading), (view.lines ?? []).map((line) => h("small", {}, line))),
      scores(table), h("div.tools", {}, ownTools(), (view.tools ?? []).map((one) => action(one)))),
    h(`main.table${table.ending ? ".end" : ""}${table.lesson ? ".taught" : ""}`, { "data-id": "table", tabindex: "-1", inert: covered },
      h("div.cloth", { "data-id": "cloth" }, name === "kinaskak" && drawn("i-rose", "rose")),
      table.ending ? ending(table, view.notice) : [
        h("div.board", { "data-id": "board" }, counted(h(`div.seating.${name}${crowd}`, {}, !chairs ? mats(table) : [
          others.map((seat, place) => (lanes ? placed(seat, at_[place], other(seat, at_[place])) : other(seat, at_[place]))),
          lanes && placed(table.seats[0], "s", others.length > 1 && ourBox(table.seats[0])), (table.zones ?? []).map((zone) => ZONES[zone.kind]?.(zone, table.deal))]), others.length)),
        mine(table, view.notice)]),
    h("aside.side", { "data-id": "side", inert: covered, "aria-label": words.log }, h("h2", {}, words.log),
      h("ol.log", {}, (table.log ?? []).slice(-14).map((line) => h("li", {}, text(line))))),
    ...(view.player ? [playerBar({ ...view.player, covered })] : []),
  ];
}

// What a deal has brought.

function countSheet({ heads = [], rows, race = [], target = 0, caption = "", notes = [], standing, leaders = [] }, seats = []) {
  const sides = !heads.length; // a column for each of them; else a row for each player
  const people = ({ side, colour = 0 }) => h(`span.people${sideOf({ side })}`, { "aria-hidden": "true" }, discs({ side, number: colour }, seats));
  const crown = (number = 0) => leaders.includes(number) && icon("crown");
  const cell = ({ text: said, points, best }) => h(`td${best ? ".best" : ""}`, {}, h("span", {}, said || points ? text(said) : "–"), points && h("b.got", {}, points));
  const label = ({ label: said, seat, sum }) => (sides || (sum && race.length) ? sentence(said) : h("span.named", {}, people({ colour: seat }), h("span.name", {}, sentence(said)), crown(seat)));
  return [
    standing && h("p.standing", {}, standing),
    h(sides ? "table.count" : "table.count.plain", {}, h("thead", {}, h("tr", {}, h("td"), (sides ? race : heads).map((head) => h("th.name", { scope: "col" }, sides && people(head), h("span.name", {}, sentence(sides ? head.name : head)))))),
      h("tbody", {}, rows.map((row) => h(`tr${row.sum ? ".grand" : ""}`, {}, h("th", { scope: "row" }, label(row)), row.cells.map(cell))))),
    race.length > 0 && [h("p.race-head.small.dim", {}, sentence(caption)), h("ul.race", {}, race.map((runner) => {
      const { name, colour = 0, before = 0, now = 0 } = runner, bar = h(`span.gauge${sideOf(runner)}`, { "data-n": tint(colour), "aria-hidden": "true" }, h("i"), h("i"));
      bar.style.setProperty("--was", Math.min(100, (100 * before) / target));
      bar.style.setProperty("--now", Math.min(100 - (100 * before) / target, (100 * now) / target));
      return h("li", {}, people(runner), h("span.named", {}, h("b.name", {}, sentence(name)), crown(colour)), bar, h("b.grand", {}, before + now));
    }))],
    notes.length > 0 && h("div.prose.notes", {}, notes.map((line) => h("p", {}, text(line)))),
  ];
}
