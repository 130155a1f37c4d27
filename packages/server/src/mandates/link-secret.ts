import { keptSecret } from '../kept-secret.js';

/** The secret of signing links that the data folder keeps: for deployments that set none. */
export function keptLinkSecret(dataDir: string): Promise<string> {
  return keptSecret(dataDir, 'link-secret');
}
