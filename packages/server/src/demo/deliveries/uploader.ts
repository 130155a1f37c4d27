import type { UploadCredentials } from '@adx/contract';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { UploadGrants } from '../../files/upload-grants.js';
import type { Principal } from '../../identity/principal.js';

/** Puts files where partners put theirs. */
export interface Uploader {
  /** @param name - below the prefix of the firm */
  put(firmId: string, product: 'CODA' | 'CODB', name: string, bytes: Uint8Array): Promise<void>;
  /** Ends what is under way. */
  close(): void;
}

export interface UploaderParts {
  readonly grants: UploadGrants;
  /** Where partners reach the storage. */
  readonly endpoint: string;
  readonly now: () => Date;
}

/** Credentials, and a client that signs with them. */
interface Session {
  readonly credentials: UploadCredentials;
  readonly client: S3Client;
}

/** Credentials are not begun with when they end so soon, in ms. */
const MARGIN_MS = 300_000;

/** A partner's side of an upload: temporary credentials as the interface hands them out, and S3. */
export function createUploader({ grants, endpoint, now }: UploaderParts): Uploader {
  const sessions = new Map<string, Session>();
  const closing = new AbortController();

  async function sessionOf(firmId: string, product: 'CODA' | 'CODB'): Promise<Session> {
    const name = `${product} ${firmId}`;
    const open = sessions.get(name);
    const soon = new Date(now().getTime() + MARGIN_MS).toISOString();
    if (open !== undefined && open.credentials.expirationUtc > soon) return open;
    open?.client.destroy();
    const firm: Principal = {
      ...{ userId: firmId, firmId, accessLevel: 'administrator', seesCustomers: 'all' },
    };
    const credentials = await (product === 'CODA' ? grants.forCoda(firm) : grants.forCodb(firm));
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const client = new S3Client({
      ...{ endpoint, region: 'us-east-1', forcePathStyle: true },
      credentials: { accessKeyId, secretAccessKey, sessionToken },
    });
    const session = { credentials, client };
    sessions.set(name, session);
    return session;
  }

  return {
    async put(firmId, product, name, bytes) {
      const { credentials, client } = await sessionOf(firmId, product);
      await client.send(
        new PutObjectCommand({
          Bucket: credentials.bucketName,
          Key: `${credentials.prefix}/${name}`,
          Body: bytes,
        }),
        { abortSignal: closing.signal },
      );
    },

    close() {
      closing.abort();
      for (const { client } of sessions.values()) client.destroy();
    },
  };
}
