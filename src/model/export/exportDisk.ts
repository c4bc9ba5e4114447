import { type FileHandle, open, readdir } from 'node:fs/promises';
import { type Disk, type DiskFile, localDisk } from '../../api/disk';

/** What an export needs of an open file; FileHandle is one. */
export type ExportFile = DiskFile & Pick<FileHandle, 'read' | 'truncate'>;

/** What an export needs of the file system; a parameter, so that tests can fill a disk. */
export interface ExportDisk extends Disk {
  open(path: string, flags: string | number, mode: number): Promise<ExportFile>;
  /** The names in a folder. */
  readdir(folder: string): Promise<string[]>;
}

/** The file system of this machine. */
export const localExportDisk: ExportDisk = { ...localDisk, open, readdir };
