import assert from 'node:assert/strict'
import { locations, placeItem } from '../../resources/stock/fixture.ts'
import type { TestService } from '../service.ts'
import { makes } from './makes.ts'

type PartOptions = {
  assembly?: boolean
  component?: boolean
  trackable?: boolean
  active?: boolean
  virtual?: boolean
  variant_of?: number
  is_template?: boolean
  category?: number
  default_location?: number
}

/** Build orders for tests, on the stock of `fillStock`: made by requests, so that every rule is kept. */
export function building(service: TestService) {
  const { member } = service
  let number = 0

  const made = makes(member)

  /** A part of which there are no units yet. */
  const part = async (options: PartOptions = {}): Promise<number> => {
    const row = { name: `Thing ${++number}`, description: 'of tests', component: true, ...options }
    const names = Object.keys(row)
    const [stored] = await service.rows(
      `insert into part (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning pk`,
      Object.values(row),
    )
    return stored.pk
  }

  /** A build order for so much of an assembly. */
  const build = (article: number, quantity = 1, fields: object = {}): Promise<number> =>
    made('/api/build/', { reference: `BO-${1000 + ++number}`, part: article, quantity, ...fields })

  /** A line of a bill of materials; gives its key. */
  const bom = (assembly: number, component: number, quantity = 1, fields: object = {}): Promise<number> =>
    made('/api/bom/', { part: assembly, sub_part: component, quantity, ...fields })

  /** The lines of a build order, in the order of its bill of materials. */
  const linesOf = async (of: number): Promise<any[]> =>
    (await member.get(`/api/build/line/?build=${of}&ordering=pk`)).body.results

  /** Stock of a part; gives its key. */
  const stock = (article: number, quantity: number, fields: Record<string, unknown> = {}): Promise<number> =>
    placeItem(service, { part: article, quantity: String(quantity), location: locations.shelf, ...fields })

  /** What a request asks of a build order. */
  const act = (of: number, action: string, body: object = {}) => member.post(`/api/build/${of}/${action}/`, body)

  const allocate = (of: number, build_line: number, stock_item: number, quantity: number, output?: number) =>
    act(of, 'allocate', { items: [{ build_line, stock_item, quantity, ...(output === undefined ? {} : { output }) }] })

  /** Begins outputs; gives their keys. */
  const begin = async (of: number, quantity: number, fields: object = {}): Promise<number[]> => {
    const { body } = await member.get(`/api/stock/?build=${of}&limit=1`)
    const answer = await act(of, 'create-output', { quantity, ...fields })
    assert.equal(answer.status, 201, answer.text)
    const all = (await member.get(`/api/stock/?build=${of}&is_building=true&limit=1000`)).body.results
    return all
      .map(({ pk }: { pk: number }) => pk)
      .sort((one: number, other: number) => one - other)
      .slice(-Math.max(all.length - body.count, 1))
  }

  /** Every sum that is kept is what a fresh count gives. */
  const assertSums = async (): Promise<void> => {
    for (const check of ['verify_quantities', 'verify_allocations', 'verify_build_allocations', 'verify_trees'])
      assert.deepEqual(await service.rows(`select * from ${check}()`), [], check)
  }

  return { part, build, bom, linesOf, stock, act, allocate, begin, assertSums }
}
