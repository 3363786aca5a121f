// How cards go from where they lay to where they lie. Measured, changed, and then moved by transforms; without motion all is there at once.
"use strict";

const FAR = 160; // pixels from which a card flies as a copy above everything
const LINGER_MS = 800, READ_MS = 700, NEXT_MS = 90; // to see what is taken; before the next move of somebody else; between two cards
const EASE = "cubic-bezier(.2,.7,.2,1)";

const box = (node) => node.getBoundingClientRect();
const cardOf = (id) => at.view.querySelector(`[data-card="${CSS.escape(id)}"]`);
const from = (start, end) => `translate(${start.left - end.left}px, ${start.top - end.top}px) scale(${start.width / end.width})`;
const rate = () => (document.documentElement.dataset.motion === "brisk" ? 2 : 1);

function play(node, frames, options) {
  const going = node.animate(frames, { duration: GLIDE_MS, easing: EASE, fill: "backwards", ...options });
  going.playbackRate = rate();
  return going.finished.catch(() => {});
}

// Waiting ends at once when our player wants to go on.
let hurry = () => {}, hurried = false;

function rest(milliseconds) {
  if (hurried || milliseconds <= 0) return Promise.resolve();
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds / rate());
    hurry = () => { clearTimeout(timer); done(); };
  });
}

for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, () => {
  hurried = acting;
  hurry();
}, true);

// A copy of a card above everything, where the card lies now.
function copy(svg) {
  const { left, top, width, height } = box(svg), flying = svg.cloneNode(true);
  delete flying.dataset.card;
  Object.assign(flying.style, { position: "fixed", margin: "0", left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`, transformOrigin: "0 0" });
  at.fly.append(flying);
  return flying;
}

const faceOf = (node) => node.firstElementChild.getAttribute("href") ?? "";

function whereCardsLie() {
  return new Map([...at.view.querySelectorAll("[data-card]")].map((svg) => [svg.dataset.card, { place: box(svg), face: faceOf(svg) }]));
}

// The card that takes is laid on the first one that it takes; all glow for a while. The copies fly when the table has changed.
async function take({ played: [one], taken }) {
  const slots = taken.map((id) => cardOf(id)?.closest(".slot")).filter(Boolean), mine_ = cardOf(one.id);
  if (slots.length < taken.length || !mine_ || !box(mine_).width) return [];
  const target = slots[0].querySelector(".card"), flying = copy(mine_), was = box(flying), to = box(target);
  const own = mine_.closest(".slot");
  own.style.visibility = "hidden";
  flying.firstElementChild.setAttribute("href", `#${symbol(one.kind, one.face)}`);
  const there = `translate(${to.left + to.width * 0.3 - was.left}px, ${to.top + to.height * 0.24 - was.top}px) scale(${to.width / was.width})`;
  await play(flying, [{ transform: "none" }, { transform: there }], { fill: "both" });
  for (const slot_ of slots) {
    slot_.classList.add("taken");
    play(slot_, [{ scale: 1 }, { scale: 1.06 }, { scale: 1 }]);
  }
  flying.classList.add("taking");
  await rest(LINGER_MS);
  const copies = [flying, ...slots.map((slot_) => copy(slot_.querySelector(".card")))];
  own.style.visibility = "";
  return copies;
}

async function toPile(copies, seat) {
  const pile = [...at.view.querySelectorAll("[data-seats]")].find((node) => node.dataset.seats.split(" ").includes(String(seat)));
  const goal = pile?.querySelector(".heap") ?? at.view.querySelector(`[data-seat="${seat}"] .disc`);
  if (goal) {
    const to = box(goal);
    await Promise.all(copies.map((flying, place) => {
      const was = box(flying), start = getComputedStyle(flying).transform, scale = Math.min(1, to.width / was.width);
      if (!was.width) return null; // its card was gone when it was copied
      const plain = flying.style, left = parseFloat(plain.left), top = parseFloat(plain.top), size = parseFloat(plain.width);
      const end = `translate(${to.left - left}px, ${to.top - top}px) scale(${(was.width * scale) / size})`;
      return play(flying, [{ transform: start }, { transform: end, opacity: pile ? 1 : 0.3 }], { delay: place * NEXT_MS, fill: "both" });
    }));
    plus(goal, `+${copies.length}`);
  }
  for (const flying of copies) flying.remove();
}

function plus(place, words_) {
  const label = h("b.plus", {}, words_), { left, top, width } = box(place);
  Object.assign(label.style, { left: `${left + width / 2}px`, top: `${top - 20}px` });
  at.fly.append(label);
  play(label, [{ opacity: 0, transform: "translateY(12px) scale(.5)" }, { opacity: 1, transform: "translateY(-8px) scale(1.15)", offset: 0.2 },
    { opacity: 1, transform: "translateY(-14px)", offset: 0.75 }, { opacity: 0, transform: "translateY(-40px)" }], { duration: 1300 }).then(() => label.remove());
}

// Where cards are dealt from if no stock lies on the table.
function middle() {
  const { left, top, width, height } = box(at.view.querySelector(".board"));
  return { left: left + width / 2, top: top + height / 2, width: 30 };
}

// Every card goes from its old place to its new one; new cards come from whoever played them, or else from the stock, but one that is uncovered lay there. A face that was hidden is turned up.
function glide(before, { played = [], seat = 0 } = {}) {
  const stock = at.view.querySelector(".stock .heap"), dealt = stock ? box(stock) : before.size ? null : middle();
  const hand = at.view.querySelector(`[data-seat="${seat}"] .disc`), shown = new Set(hand ? played.map(({ id }) => id) : []);
  let fresh = 0;
  return Promise.all([...at.view.querySelectorAll("[data-card]")].map((svg) => {
    const was = before.get(svg.dataset.card), place = box(svg), start = was?.place ?? (shown.has(svg.dataset.card) ? box(hand) : before.size && svg.closest(".open") ? null : dealt);
    if (!start || !place.width) return null;
    const turned = faceOf(svg).endsWith("-back") ? false : was ? was.face !== faceOf(svg) : true;
    const far = Math.hypot(start.left - place.left, start.top - place.top);
    const lying = svg.closest(".slot"), turnUp = () => lying && play(lying, [{ transform: "scaleX(0)" }, { transform: "none" }], { duration: FLIP_MS });
    if (far < 1) return turned ? turnUp() : null;
    const delay = was ? 0 : NEXT_MS * fresh++;
    const frames = [{ transformOrigin: "0 0", transform: from(start, place) }, { transformOrigin: "0 0", transform: "none" }];
    if (far < FAR || !lying) return play(lying ?? svg, frames, { delay });
    const flying = copy(svg);
    lying.style.visibility = "hidden";
    if (turned) flying.firstElementChild.setAttribute("href", was?.face ?? `#${symbol(kindOf(svg), null)}`);
    const arrive = () => {
      flying.remove();
      lying.style.visibility = "";
      return turned ? turnUp() : null;
    };
    return play(flying, frames, { delay, duration: GLIDE_MS * 1.25, fill: "both" }).then(arrive);
  }));
}

const kindOf = (svg) => [...svg.classList].find((name) => ["spanish", "french", "domino"].includes(name));

let readAt = 0; // when the last move can have been read

// Show a table after another one of the same match; `apply` changes the page.
async function moveTo(table, before, apply) {
  const fresh = table.trace && table.trace.number !== before.trace?.number, same = table.deal === before.deal;
  let copies = [];
  if (fresh) {
    const own = (table.trace.seat ?? 0) === (table.seats[0].number ?? 0);
    if (!own) await rest(readAt - performance.now());
    if (table.trace.taken && same) copies = await take(table.trace);
  }
  const lay = same ? whereCardsLie() : new Map();
  for (const id of table.trace?.taken ?? []) if (copies.length) lay.delete(id);
  document.body.classList.toggle("dealing", !same); // nothing is to be answered before the cards lie there
  apply();
  const moved = Promise.all([glide(lay, table.trace), copies.length ? toPile(copies, table.trace.seat ?? 0) : null]);
  if (!fresh && same) return;
  readAt = performance.now() + READ_MS;
  await Promise.race([moved, rest(2000)]);
  document.body.classList.remove("dealing");
}
