import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { testService } from '../../testing/service.ts'
import { assertInvariants } from './model/assert-invariants.ts'
import type { Step } from './model/model-action.ts'
import { ACTIONS, createModelState, executeStep, generateStep, someActions } from './model/model-state.ts'

const service = await testService()

/** Number of runs of each property; more take longer. */
const RUNS = Number(process.env.STOCK_MODEL_RUNS ?? 10)

const generateSteps = (minLength: number, maxLength: number) =>
  someActions.chain((actions) => fc.array(generateStep(actions), { minLength, maxLength }))

describe('a sequence of stock actions', () => {
  test('keeps stock consistent with one client', async () => {
    await fc.assert(
      fc.asyncProperty(generateSteps(5, 40), async (steps) => {
        const modelState = await createModelState(service, 1)
        for (const step of steps) await executeStep(modelState, step)
        await assertInvariants(modelState)
      }),
      { numRuns: RUNS },
    )
  })

  test('keeps stock consistent with 2 to 32 concurrent clients', async () => {
    const sequences = fc
      .tuple(fc.integer({ min: 2, max: 32 }), someActions)
      .chain(([clients, actions]) =>
        fc.array(fc.array(generateStep(actions), { minLength: 1, maxLength: 6 }), { minLength: clients, maxLength: clients }),
      )
    await fc.assert(
      fc.asyncProperty(sequences, async (clients) => {
        const modelState = await createModelState(service, clients.length)
        const executeSteps = async (steps: Step[]) => {
          for (const step of steps) await executeStep(modelState, step)
        }
        // waits for all clients before the next run
        const results = await Promise.allSettled(clients.map(executeSteps))
        for (const result of results) if (result.status === 'rejected') throw result.reason
        await assertInvariants(modelState)
      }),
      // a failure of concurrent runs may not be reproducible
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  test('keeps stock consistent if it includes every action', async () => {
    const modelState = await createModelState(service, 1)
    const executedActions = new Set<string>()
    // until every action has happened, and one was rejected
    for (const step of fc.sample(generateStep(Object.keys(ACTIONS)), { numRuns: 4000, seed: 29 })) {
      executedActions.add(await executeStep(modelState, step))
      if (executedActions.size === Object.keys(ACTIONS).length + 2) break
    }
    await assertInvariants(modelState)
    assert.deepEqual([...executedActions].filter((action) => !(action in ACTIONS)).sort(), ['nothing', 'rejected'])
    assert.deepEqual(
      Object.keys(ACTIONS).filter((action) => !executedActions.has(action)),
      [],
    )
  })

  test('keeps stock consistent if it ships items, receives them with a return order, and ships them again', async () => {
    const modelState = await createModelState(service, 1)
    const actions = ['allocate_serials', 'change_status', 'close_return', 'expect_return', 'receive_return', 'serialize', 'ship']
    for (const step of fc.sample(generateStep(actions), { numRuns: 400, seed: 7 })) await executeStep(modelState, step)
    await assertInvariants(modelState)
    const [{ items }] = await service.rows(
      `select count(distinct shipped.item)::integer as items
       from stock_tracking shipped join stock_tracking returned using (item) join stock_tracking reshipped using (item)
       where shipped.tracking_type = 60 and returned.tracking_type = 80 and reshipped.tracking_type = 60
         and shipped.pk < returned.pk and returned.pk < reshipped.pk`,
    )
    assert.ok(items > 0, 'no item was shipped twice')
  })
})
