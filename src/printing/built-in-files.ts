import { Readable } from 'node:stream'
import type { Resource } from '../kit/definition/resource.ts'
import { type FileColumn, listFileColumns } from '../kit/reading/stored-files.ts'
import type { Content, FileHeaders, Files, Range, StoredFile, WrittenFile } from '../kit/services/files.ts'
import { builtInTemplates, getBuiltInSource } from './defaults/built-in.ts'
import { isListed } from './kinds.ts'

/** Assumed modification time of the built-in templates: when this process loaded them. */
const LOADED = Date.now()

/**
 * The stored files, plus the default templates: these have the same paths as in InvenTree, belong to this version of the service, and are
 * not in the media folder. To change one, give its template a file of its own.
 */
export class BuiltInTemplateFiles implements Files {
  readonly #files: Files

  constructor(files: Files) {
    this.#files = files
  }

  write(path: string, content: Content, limit?: number): Promise<WrittenFile> {
    return this.#files.write(path, content, limit)
  }

  async find(path: string): Promise<StoredFile | undefined> {
    const builtIn = getBuiltInBytes(path)
    return builtIn ? { size: builtIn.length, modified: LOADED } : this.#files.find(path)
  }

  read(path: string, range?: Range): Readable {
    const builtIn = getBuiltInBytes(path)
    if (!builtIn) return this.#files.read(path, range)
    return Readable.from([range ? builtIn.subarray(range.start, range.end + 1) : builtIn])
  }

  async bytes(path: string): Promise<Buffer> {
    return getBuiltInBytes(path) ?? this.#files.bytes(path)
  }

  remove(path: string): Promise<void> {
    return this.#files.remove(path)
  }

  clear(before: number): Promise<void> {
    return this.#files.clear(before)
  }

  async link(path: string, as: FileHeaders): Promise<string | undefined> {
    return getBuiltInBytes(path) ? undefined : this.#files.link(path, as)
  }
}

function getBuiltInBytes(path: string): Buffer | undefined {
  const text = getBuiltInSource(path)
  return text === undefined ? undefined : Buffer.from(text)
}

/** Access to the built-in templates: by the rows of the same tables as uploaded ones. */
export const listBuiltInColumns = (resources: readonly Resource[]): FileColumn[] =>
  resources.flatMap(listFileColumns).flatMap((column) => {
    if (UPLOADED.test(column.folder)) return [{ ...column, folder: column.folder.replace(UPLOADED, '$1/inventree/') }]
    const area = OF_ALL_KINDS.exec(column.folder)?.[1]
    return otherFolders.filter((folder) => folder.startsWith(`${area}/`)).map((folder) => ({ ...column, folder }))
  })

/** Folders of uploaded templates, by kind. */
const UPLOADED = /^(label|report)\/(?:template|report_template)\//
/** Folders of uploaded templates of all kinds. */
const OF_ALL_KINDS = /^(label|report)\/\1$/

/** Folders of the built-in templates of kinds without a list of their own. */
const otherFolders = [
  ...new Set(builtInTemplates.filter(({ kind }) => !isListed(kind)).map(({ path }) => path.slice(0, path.lastIndexOf('/')))),
]
