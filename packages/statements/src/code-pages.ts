import { latin1Of } from './bytes.js';

/** An encoding of one byte per character. */
export type CodePage = 'windows-1252' | 'iso-8859-15' | 'cp850';

/** The encoding of a statement. The standard does not define it, so the reader detects it. */
export type Encoding = 'ascii' | 'utf-8' | CodePage;

const characters = (first: number, last: number): string =>
  String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

/**
 * The characters of the bytes 80 to FF. Node has no decoder for cp850 and no encoder for any of
 * these, and in some releases of Node 20 and 22 its decoder for windows-1252 decodes ISO-8859-1,
 * which loses the euro sign. A byte without a character stands for the control
 * character of the same number, as in the Encoding Standard.
 */
export const codePages: Readonly<Record<CodePage, string>> = {
  'windows-1252': `€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ${characters(0xa0, 0xff)}`,
  'iso-8859-15': `${characters(0x80, 0xa3)}€¥Š§š${characters(0xa9, 0xb3)}Žµ¶·ž${characters(0xb9, 0xbb)}ŒœŸ${characters(0xbf, 0xff)}`,
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xAD±‗¾¶§÷¸°¨·¹³²■\xA0',
};

/** The bytes at which each code page differs from ISO-8859-1, which Node decodes natively. */
const differences: Readonly<Record<CodePage, RegExp>> = {
  'windows-1252': /[\x80-\x9f]/g,
  'iso-8859-15': /[\xa4\xa6\xa8\xb4\xb8\xbc-\xbe]/g,
  cp850: /[\x80-\xff]/g,
};

/** Decodes bytes in a code page. Any sequence of bytes is valid. */
export function decodeCodePage(page: CodePage, bytes: Uint8Array): string {
  return latin1Of(bytes).replace(differences[page], (byte) =>
    codePages[page].charAt(byte.charCodeAt(0) - 0x80),
  );
}

/** Returns the byte of a character, or undefined if the code page does not have it. */
export function encodeCodePage(page: CodePage, character: string): number | undefined {
  const unit = character.charCodeAt(0);
  if (unit < 0x80) return unit;
  const index = codePages[page].indexOf(character);
  return index === -1 ? undefined : index + 0x80;
}
