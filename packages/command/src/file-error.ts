/** The errors of the file system that a user can mend, by their codes. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not access it',
  EBUSY: 'another program has it open',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something with this name is there already',
  EFBIG: 'the file is larger than this user may write',
  EIO: 'the drive does not respond',
  EISDIR: 'there is a folder in the place of the file',
  ELOOP: 'there is a symbolic link in its place',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the path is too long',
  ENOENT: 'it does not exist',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'this user may not access it',
  EROFS: 'the file system is read-only',
  ESTALE: 'the network drive has to be mounted again',
};

export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/**
 * Returns the reason of an error of the file system, such as `it does not exist (ENOENT)`, or
 * undefined if the error is another one.
 */
export function explainFileError(error: unknown): string | undefined {
  if (!isFileError(error)) return undefined;
  const reason = reasons[String(error.code)];
  return reason && `${reason} (${error.code})`;
}
