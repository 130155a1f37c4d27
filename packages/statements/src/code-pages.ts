/**
 * The characters of the bytes 80 to FF of the single-byte encodings CODA files come in. cp850 has no
 * `TextDecoder`, that of windows-1252 reads the bytes 80 to 9F as control characters in some versions
 * of Node, and none of them has an encoder in the platform. Bytes that a code page leaves open
 * stand for the control character of the same number, as in the Encoding Standard.
 */
const upper = (first: number, last: number): string =>
  String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

/** An encoding of one byte a character. */
export type CodePage = 'windows-1252' | 'iso-8859-15' | 'cp850';

/** How the text of a statement is encoded. The standard does not say it; it is found by the bytes. */
export type Encoding = 'ascii' | 'utf-8' | CodePage;

export const codePages: Readonly<Record<CodePage, string>> = {
  'windows-1252': `€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ${upper(0xa0, 0xff)}`,
  'iso-8859-15': `${upper(0x80, 0xa3)}€¥Š§š${upper(0xa9, 0xb3)}Žµ¶·ž${upper(0xb9, 0xbb)}ŒœŸ${upper(0xbf, 0xff)}`,
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xAD±‗¾¶§÷¸°¨·¹³²■\xA0',
};

/** The text of bytes in a code page. */
export function decodeCodePage(page: CodePage, bytes: Uint8Array): string {
  const high = codePages[page];
  let text = '';
  for (const byte of bytes) {
    text += byte < 0x80 ? String.fromCharCode(byte) : high.charAt(byte - 0x80);
  }
  return text;
}

/**
 * The byte of a character in a code page.
 *
 * @returns undefined where the code page does not have it
 */
export function encodeCodePage(page: CodePage, character: string): number | undefined {
  const unit = character.charCodeAt(0);
  if (unit < 0x80) return unit;
  const index = codePages[page].indexOf(character);
  return index === -1 ? undefined : index + 0x80;
}
