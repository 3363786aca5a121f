// The way in on this machine: a token in the address is exchanged for a cookie and a pass; a browser that has them needs no
// token, and uses it up.
"use strict";

const GIVE_UP_MS = 30_000; // Linux keeps the port for a minute from the last connection that our program has closed

async function enter() {
  if (!token) return false;
  const answer = await fetch("enter", { method: "POST", body: token });
  if (!answer.ok) return false;
  const { pass, seal } = await answer.json();
  localStorage.setItem("pass", pass);
  localStorage.setItem("seal", seal);
  meant = true;
  return true;
}

let token = location.hash.slice(1); // empty once we are in: another program would take it for the seal that it chooses
history.replaceState(history.state, "", here()); // used or not; a browser's list of visits keeps an address that was typed

let lostSince = 0; // 0 while views come

// After a while another program may have the port: it is not to be asked again and again with our cookies.
async function begin() {
  if (lostSince && performance.now() - lostSince > GIVE_UP_MS) {
    tell(words.lost);
    return;
  }
  try {
    const inside = localStorage.getItem("pass") !== null && (await fetch("session", { method: "POST", body: token })).ok;
    if (inside || (await enter())) {
      token = "";
      connect();
    } else tell(seen ? words.out : words.refused);
  } catch {
    tell(words.lost);
    lostSince ||= performance.now();
    setTimeout(begin, RETRY_MS);
  }
}

// Another program may have the port by now: ours says the seal first.
function connect() {
  let known = false, strange = false, seal = null;
  const socket = new WebSocket(`ws://${location.host}/socket`);
  deliver = (text) => {
    const open = socket.readyState === WebSocket.OPEN;
    if (open) socket.send(text);
    return open;
  };
  socket.addEventListener("open", () => {
    begun();
    seal = localStorage.getItem("seal");
    send({ pass: localStorage.getItem("pass") });
  });
  socket.addEventListener("message", ({ data }) => {
    if (strange) return;
    const message = JSON.parse(data);
    strange = !known && message.set?.seal !== seal;
    if (strange) {
      tell(words.lost);
      socket.close();
      return;
    }
    if (!known) tell("");
    known = true;
    lostSince = 0;
    show(message);
  });
  socket.addEventListener("close", ({ code }) => {
    if (strange) return;
    lostSince ||= performance.now();
    if (code === 4403) localStorage.removeItem("pass");
    if (code === 1013) tell(words.many);
    else setTimeout(begin, RETRY_MS / 4);
  });
}

window.addEventListener("hashchange", () => location.reload()); // a new address typed into this window
begin();
