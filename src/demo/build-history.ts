import { OWNER } from '../resources/web/demo/demo-accounts.ts'
import { builds, type DemoBuild } from './data/builds.ts'
import type { DemoContext, DemoEvent } from './past-event.ts'

/** The events of all build orders. */
export function listBuildEvents(context: DemoContext): DemoEvent[] {
  return builds.flatMap((build) => {
    const { reference, created, allocated, startedOutputs, completed, finished, cancelled } = build
    const postAction = (action: string, body?: object) =>
      context.client.post(OWNER, `/api/build/${context.keys.get('build', reference)}/${action}/`, body)
    return [
      { day: created, run: () => createBuild(context, build) },
      ...(allocated === undefined ? [] : [{ day: allocated, run: () => postAction('auto-allocate', { interchangeable: true }) }]),
      ...(startedOutputs === undefined
        ? []
        : [{ day: startedOutputs.day, run: () => postAction('create-output', toOutputRequest(startedOutputs)) }]),
      ...(completed === undefined
        ? []
        : [
            { day: completed.day, run: async () => postAction('complete', await toCompletionRequest(context, build, completed)) },
          ]),
      ...(finished === undefined ? [] : [{ day: finished, run: () => postAction('finish') }]),
      ...(cancelled === undefined ? [] : [{ day: cancelled, run: () => postAction('cancel') }]),
    ]
  })
}

async function createBuild({ client, keys, calendar }: DemoContext, build: DemoBuild): Promise<void> {
  const { reference, title, part, quantity, batch, priority } = build
  const created = await client.post(OWNER, '/api/build/', {
    reference,
    title,
    part: keys.get('part', part),
    quantity,
    batch,
    priority,
    target_date: calendar.formatDay(build.target),
    parent: keys.find('build', build.parent),
    sales_order: keys.find('sales order', build.sales_order),
    project_code: keys.find('project', build.project),
    destination: keys.find('location', build.destination),
    responsible: keys.get('owner', OWNER),
  })
  keys.set('build', reference, created)
}

/** The number of serial numbers in a range such as 51-56, or 1 for a single one. */
function countSerials(serials: string): number {
  const [first, last] = serials.split('-').map(Number) as [number, number?]
  return (last ?? first) - first + 1
}

const toOutputRequest = ({ serials, batch }: NonNullable<DemoBuild['startedOutputs']>) => ({
  quantity: countSerials(serials),
  serial_numbers: serials,
  batch_code: batch,
})

/** The request that completes the first outputs. Their tracked components were never allocated. */
async function toCompletionRequest(
  { client, keys }: DemoContext,
  { reference }: DemoBuild,
  { first, location }: NonNullable<DemoBuild['completed']>,
) {
  const startedOutputs = await client.list(OWNER, '/api/stock/', {
    build: keys.get('build', reference),
    is_building: true,
    ordering: 'stock',
  })
  return {
    outputs: startedOutputs.slice(0, first).map(({ pk }) => ({ output: pk })),
    location: keys.get('location', location),
    accept_incomplete_allocation: true,
  }
}
