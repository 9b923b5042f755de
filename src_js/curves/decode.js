// Numbers as the page stores them: base64 of little-endian floats, or of deltas of counts.

export function bytesOf(base64) {
  // Much quicker, where browsers have it.
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Floats of 8 or 4 bytes each. */
export function floatsOf(base64, size = 8) {
  const bytes = bytesOf(base64);
  if (!LITTLE_ENDIAN) {
    for (let i = 0; i < bytes.length; i += size) bytes.subarray(i, i + size).reverse();
  }
  return size === 8
    ? new Float64Array(bytes.buffer)
    : new Float64Array(new Float32Array(bytes.buffer));
}

/** Running totals, from 0, of numbers of 7 bits a byte, the lowest first, the last byte below 128. */
export function totalsOf(base64, length) {
  const bytes = bytesOf(base64);
  const totals = new Float64Array(length);
  let at = 0;
  let total = 0;
  for (let i = 1; i < length; i++) {
    // Beyond 31 bits shifts would wrap around; floats hold whole numbers to 2^53.
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at++];
      total += (byte & 127) * unit;
      if (byte < 128) break;
    }
    totals[i] = total;
  }
  return totals;
}
