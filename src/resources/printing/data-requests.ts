import { readObjects } from '../../kit/reading/objects.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { queryThrough } from '../../kit/sql/run-query.ts'
import type { ObjectQuery } from '../../printing/context/objects.ts'
import { printErrors } from '../../printing/print-errors.ts'
import type { Print } from '../../printing/rendering.ts'
import { MAX_LIST_ENTRIES } from '../../printing/template/bounds.ts'
import type { DataRequestHandler } from '../../printing/worker/process.ts'
import { readRates } from '../currency/rates.ts'
import { ownAccount } from '../user/me/own-account.ts'
import { type Model, models } from './models.ts'

type LoadedObjects = { owners: number[]; texts: string[] }

/** Reads the data that a print requests, with the permissions of the user who prints. Messages of a worker are not trusted. */
export class PrintReader {
  readonly #print: Pick<Print, 'reader' | 'library'>
  #count = 0

  constructor(print: Pick<Print, 'reader' | 'library'>) {
    this.#print = print
  }

  /** URLs of the resources that the caller can view. */
  get viewable(): string[] {
    const { caller } = this.#print.reader
    return [...models.values()].flatMap(({ resource }) => (resource.access(caller, 'view') ? [resource.path] : []))
  }

  /** Reads objects by their own keys, without checking the permission to view them. */
  async objects(model: Pick<Model, 'resource'>, keys: readonly number[]): Promise<LoadedObjects> {
    return this.#read(model, keys, '{pk} = owner.pk')
  }

  readonly respond: DataRequestHandler = async (request) => {
    const { reader, library } = this.#print
    switch (request.what) {
      case 'objects': {
        const { owners, texts } = await this.#readQuery(request)
        return { type: 'response', owners, texts }
      }
      case 'snippet':
        return { type: 'response', text: await library.snippet(request.name) }
      case 'asset':
        return { type: 'response', text: await library.asset(request.name) }
      case 'logo':
        return { type: 'response', text: await library.logo() }
      case 'rates':
        return { type: 'response', rates: [...(await readRates({ query: queryThrough(reader.services) }))] }
    }
  }

  async #readQuery({ kind, list, owners }: ObjectQuery): Promise<LoadedObjects> {
    const { caller } = this.#print.reader
    if (kind === ownAccount.path) return caller ? this.objects({ resource: ownAccount }, [caller.pk]) : noObjects()
    const model = models.get(kind)
    const belongs = list ? models.get(list.of)?.lists?.[list.name] : { path: kind, belongs: '{pk} = owner.pk' }
    if (!model || belongs?.path !== kind || !owners.every(Number.isSafeInteger))
      throw new Error('A worker sent an invalid request.')
    if (!model.resource.access(caller, 'view')) return noObjects()
    return this.#read(model, owners, belongs.belongs)
  }

  async #read({ resource }: Pick<Model, 'resource'>, owners: readonly number[], belongs: string): Promise<LoadedObjects> {
    const limit = MAX_LIST_ENTRIES - this.#count + 1
    if (limit <= 0) throw invalidObject(printErrors.max_printed_objects({ max_objects: MAX_LIST_ENTRIES }))
    if (owners.length === 0) return noObjects()
    const rows = await readObjects(resource, { owners, belongs, limit }, this.#print.reader)
    this.#count += rows.length
    return { owners: rows.map(({ owner }) => owner), texts: rows.map(({ body }) => body) }
  }
}

const noObjects = (): LoadedObjects => ({ owners: [], texts: [] })
