import assert from 'node:assert/strict'
import fc from 'fast-check'
import { getEmptyStatement, refill } from '../../../testing/refill.ts'
import type { TestService } from '../../../testing/service.ts'
import { allowAnyInstallation, fillStock, locations, parts } from '../fixture.ts'
import { buildActions } from './build-actions.ts'
import { type Change, FAMILIES, type Item, type ModelState, type Step } from './model-action.ts'
import { returnActions } from './return-actions.ts'
import { salesActions } from './sales-actions.ts'
import { scanActions } from './scan-actions.ts'
import { stockActions } from './stock-actions.ts'

/** All actions, by name. */
export const ACTIONS = { ...stockActions, ...salesActions, ...returnActions, ...scanActions, ...buildActions }

// often the same few, so that steps collide
const pick = fc.oneof({ arbitrary: fc.nat(2), weight: 2 }, { arbitrary: fc.nat(1000), weight: 1 })

/** Generates a step of one of these actions. */
export const generateStep = (actions: readonly string[]): fc.Arbitrary<Step> =>
  fc.record({
    action: fc.constantFrom(...actions),
    picks: fc.tuple(pick, pick, pick),
    amount: fc.oneof(
      fc.integer({ min: 0, max: 15_000 }),
      fc.integer({ min: 0, max: 15 }).map((units) => units * 1000),
    ),
    whole: fc.integer({ min: 1, max: 4 }),
    locationIndex: fc.nat(3),
    flag: fc.boolean(),
  })

/** Generates a subset of the actions: bugs in the combination of two actions are found sooner without the others. */
export const someActions: fc.Arbitrary<string[]> = fc.subarray(Object.keys(ACTIONS), { minLength: 1 })

/** Creates empty stock, an order to fill it from, and some items. */
export async function createModelState(service: TestService, clients: number): Promise<ModelState> {
  const { member } = service
  await refill(service, await getEmptyStatement(service, 'purchase_order', 'sales_order', 'return_order'))
  await fillStock(service)
  await allowAnyInstallation(service)
  await service.pool.query(
    `update part set salable = true, is_template = trackable; insert into part (name, salable) values ('Nut', true)`,
  )
  const chair = await createChair(service)
  const order = (await member.post('/api/order/po/', { reference: 'PO-0001', supplier: 1 })).body.pk
  const lines: ModelState['lines'] = []
  for (const [part, stockedPart, pack] of [
    [1, parts.screw, 100],
    [2, parts.screw, 1],
    [3, parts.lamp, 1],
  ] as const)
    lines.push({
      pk: (await member.post('/api/order/po-line/', { order, part, quantity: 1_000_000 })).body.pk,
      part: stockedPart,
      pack,
    })
  await member.post(`/api/order/po/${order}/issue/`)
  const sales = [await createSale(service, 'SO-0001'), await createSale(service, 'SO-0002')]
  const modelState = {
    service,
    order,
    lines,
    sales,
    returns: 0,
    chair,
    scans: [],
    clients,
    received: new Map(),
    expected: FAMILIES.map(() => 0),
  }
  for (const part of FAMILIES.flat())
    for (const location of [locations.shelf, locations.shed]) {
      await member.post('/api/stock/', { part, quantity: 5, location, delete_on_deplete: location === locations.shelf })
      applyChange(modelState, { part, by: 5000 })
    }
  return modelState
}

/** Creates an assembly of screws and nuts, which the model does not track itself. */
async function createChair({ rows }: TestService): Promise<number> {
  const [{ pk }] = await rows(`insert into part (name, assembly) values ('Chair', true) returning pk`)
  await rows(
    'insert into bom_item (part, sub_part, quantity) values ($1, $2, 2), ($1, (select pk from part where name = $3), 1)',
    [pk, parts.screw, 'Nut'],
  )
  return pk
}

/** Creates an issued sales order with a line for a part of each kind. */
async function createSale({ member }: TestService, reference: string): Promise<ModelState['sales'][number]> {
  const order = (await member.post('/api/order/so/', { reference, customer: 2 })).body.pk
  const lines: ModelState['sales'][number]['lines'] = []
  for (const part of [parts.screw, parts.board, parts.lamp])
    lines.push({ pk: (await member.post('/api/order/so-line/', { order, part, quantity: 40 })).body.pk, part })
  await member.post(`/api/order/so/${order}/issue/`)
  return { order, lines }
}

function applyChange({ expected }: ModelState, { part, by }: Change): void {
  const family = FAMILIES.findIndex((parts) => parts.includes(part))
  expected[family] = (expected[family] ?? 0) + by
}

export const readAllItems = ({ service }: ModelState): Promise<Item[]> =>
  service.rows('select pk, part, (quantity * 1000)::integer as quantity, serial, belongs_to from stock_item order by pk')

/** Runs a step, and applies its response to the model. */
export async function executeStep(modelState: ModelState, step: Step): Promise<string> {
  const locationKeys = [locations.shelf, locations.box, locations.garage, locations.shed]
  const modelAction = {
    ...step,
    modelState,
    client: modelState.service.member,
    items: await readAllItems(modelState),
    location: locationKeys[step.locationIndex] as number,
  }
  const result = await ACTIONS[step.action]?.(modelAction)
  if (!result) return 'nothing'
  const { response, changes = [] } = result
  const statuses = [200, 201, 204, 400, 404, ...(step.action.endsWith('_expected') ? [412] : [])]
  assert.ok(statuses.includes(response.status), `${step.action}: ${response.status} ${response.text}`)
  if (response.status >= 300) return 'rejected'
  for (const change of changes) applyChange(modelState, change)
  return step.action
}
