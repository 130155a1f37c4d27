import type { Served } from './generated/handlers.gen.js';
import type { ApiKeyContext, UserContext } from './http/request-context.js';

/** Operations that answer 501 until their feature is there. Taking one out obliges to serve it. */
export type NotServed =
  | 'listCodaFiles'
  | 'acknowledgeCodaFile'
  | 'getCodaUploadCredentials'
  | 'listCodbFiles'
  | 'acknowledgeCodbFile'
  | 'getCodbUploadCredentials';

/**
 * A handler for every operation of the interface but those named above: an operation that is added
 * to the spec does not compile until it is served or named.
 */
export type ServedHandlers = Served<UserContext, NotServed, ApiKeyContext>;
