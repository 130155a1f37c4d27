import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Smaller files fit into one packet as they are. */
const smallest = 1_400;

/**
 * Returns files together with a compressed copy of each that is not small: `.br` in Brotli and
 * `.gz` in gzip, which the service and static hosts send to browsers that accept them.
 */
export async function withCompressed(
  files: ReadonlyMap<string, string>,
): Promise<Map<string, string | Buffer>> {
  const large = [...files].filter(([, text]) => Buffer.byteLength(text) > smallest);
  const copies = await Promise.all(
    large.map(async ([path, text]): Promise<[string, Buffer][]> => {
      const content = Buffer.from(text);
      // The highest quality takes ten times as long; only scripts and the reference are worth it.
      const isLoaded = ['.html', '.js', '.css'].includes(extname(path));
      const quality = isLoaded ? constants.BROTLI_MAX_QUALITY : 6;
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, {
          params: { [constants.BROTLI_PARAM_QUALITY]: quality },
        }),
        promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      return [
        [`${path}.br`, br],
        [`${path}.gz`, gz],
      ];
    }),
  );
  return new Map<string, string | Buffer>([...files, ...copies.flat()]);
}
