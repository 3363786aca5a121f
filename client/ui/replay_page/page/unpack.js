// The first script of a replay page: it unpacks all the others and the style, which its policy knows by their sums.
"use strict";
(async () => {
  const text = document.getElementById("data").textContent, bytes = new Uint8Array(text.length);
  let size = 0, held = 0, bits = 0;
  for (let place = 0; place < text.length; place += 1) {
    let code = text.charCodeAt(place);
    if (code === 61) code = text.charCodeAt(place += 1) ^ 64;
    held = ((held << 7) | code) & 16383;
    bits += 7;
    if (bits < 8) continue;
    bits -= 8;
    bytes[size++] = held >> bits;
  }
  const plain = await new Response(new Blob([bytes.subarray(0, size)]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  const { style, script, ...data } = plain;
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  document.body.append(Object.assign(document.createElement("script"), { textContent: script }));
  begin(data);
})();
