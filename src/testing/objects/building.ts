import assert from 'node:assert/strict'
import { insertItem, locations } from '../../resources/stock/fixture.ts'
import type { TestService } from '../service.ts'
import { createObjectsAs } from './creates.ts'

type PartOptions = {
  assembly?: boolean
  component?: boolean
  trackable?: boolean
  active?: boolean
  locked?: boolean
  purchaseable?: boolean
  virtual?: boolean
  variant_of?: number
  is_template?: boolean
  category?: number
  default_location?: number
  units?: string
}

/** Build orders for tests, on the stock of `fillStock`: created by requests, so that all rules are enforced. */
export function createBuildHelpers(service: TestService) {
  const { member } = service
  let number = 0

  const createObject = createObjectsAs(member)

  /** Creates a part without stock. */
  const part = async (options: PartOptions = {}): Promise<number> => {
    const row = { name: `Thing ${++number}`, description: 'of tests', component: true, ...options }
    const names = Object.keys(row)
    const [stored] = await service.rows(
      `insert into part (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning pk`,
      Object.values(row),
    )
    return stored.pk
  }

  /** Creates a build order for a quantity of an assembly. */
  const build = (partKey: number, quantity = 1, fields: object = {}): Promise<number> =>
    createObject('/api/build/', { reference: `BO-${1000 + ++number}`, part: partKey, quantity, ...fields })

  /** Creates a BOM line, and returns its key. */
  const bom = (assembly: number, component: number, quantity = 1, fields: object = {}): Promise<number> =>
    createObject('/api/bom/', { part: assembly, sub_part: component, quantity, ...fields })

  /** Returns the lines of a build order, in the order of its BOM. */
  const linesOf = async (order: number): Promise<any[]> =>
    (await member.get(`/api/build/line/?build=${order}&ordering=pk`)).body.results

  /** Creates stock of a part, and returns its key. */
  const stock = (partKey: number, quantity: number, fields: Record<string, unknown> = {}): Promise<number> =>
    insertItem(service, { part: partKey, quantity: String(quantity), location: locations.shelf, ...fields })

  /** Sends an action of a build order. */
  const act = (order: number, action: string, body: object = {}) => member.post(`/api/build/${order}/${action}/`, body)

  const allocate = (order: number, build_line: number, stock_item: number, quantity: number, output?: number) =>
    act(order, 'allocate', { items: [{ build_line, stock_item, quantity, ...(output === undefined ? {} : { output }) }] })

  /** Creates outputs, and returns their keys. */
  const begin = async (order: number, quantity: number, fields: object = {}): Promise<number[]> => {
    const { body } = await member.get(`/api/stock/?build=${order}&limit=1`)
    const response = await act(order, 'create-output', { quantity, ...fields })
    assert.equal(response.status, 201, response.text)
    const all = (await member.get(`/api/stock/?build=${order}&is_building=true&limit=1000`)).body.results
    return all
      .map(({ pk }: { pk: number }) => pk)
      .sort((one: number, other: number) => one - other)
      .slice(-Math.max(all.length - body.count, 1))
  }

  /** Asserts that every stored sum equals its recount. */
  const assertSums = async (): Promise<void> => {
    for (const check of ['verify_quantities', 'verify_allocations', 'verify_build_allocations', 'verify_trees'])
      assert.deepEqual(await service.rows(`select * from ${check}()`), [], check)
  }

  return { part, build, bom, linesOf, stock, act, allocate, begin, assertSums }
}
