import type { Request, RequestHandler, Response } from 'express';

/** Runs a middleware of Express. Rejects with the error that it throws or passes on. */
export function passThrough(
  middleware: RequestHandler,
  request: Request,
  response: Response,
): Promise<void> {
  return new Promise((resolve, reject) => {
    middleware(request, response, (error?: unknown) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
