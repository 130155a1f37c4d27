declare module 'fs-native-extensions' {
  /** Locks a whole file for this file descriptor. Returns false if another one has locked it. */
  export function tryLock(descriptor: number): boolean;
}
