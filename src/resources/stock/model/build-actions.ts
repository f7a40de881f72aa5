import { locations } from '../fixture.ts'
import { type ActionResult, getFamily, type ModelAction, pickItem } from './model-action.ts'

let lastReference = 0

/** Returns a build order for the step, with its lines, and creates one if there is none. */
export async function findOrCreateBuild({
  modelState,
  client,
  picks,
}: ModelAction): Promise<{ pk: number; lines: { pk: number; part: number }[] }> {
  const { body } = await client.get('/api/build/?active=true&ordering=reference')
  const createBuild = async () => {
    lastReference += 1
    return (await client.post('/api/build/', { reference: `BO-${lastReference}`, part: modelState.chair, quantity: 5 })).body
  }
  const { pk } = body.results[picks[2] % 2] ?? body.results[0] ?? (await createBuild())
  const { results } = (await client.get(`/api/build/line/?build=${pk}&ordering=pk`)).body
  return { pk, lines: results.map((line: any) => ({ pk: line.pk, part: line.part_detail.pk })) }
}

/** Returns an output of the build order that is not complete. */
async function findOutput({ client, picks }: ModelAction, build: number): Promise<{ pk: number; quantity: number } | undefined> {
  const { body } = await client.get(`/api/stock/?build=${build}&is_building=true&limit=1000`)
  return body.results[picks[0] % body.results.length]
}

/** Build order actions on stock, by name; each new action is one entry. They build a part that the model does not track. */
export const buildActions: Record<string, (modelAction: ModelAction) => Promise<ActionResult>> = {
  async build_allocate(modelAction) {
    const { pk, lines } = await findOrCreateBuild(modelAction)
    const items = [0, 1].flatMap((pickIndex) => {
      const item = pickItem(modelAction, pickIndex as 0 | 1)
      const line = lines.find(({ part }) => item && getFamily(item.part).includes(part))
      return item && line ? { build_line: line.pk, stock_item: item.pk, quantity: item.serial ? 1 : modelAction.whole } : []
    })
    return { response: await modelAction.client.post(`/api/build/${pk}/allocate/`, { items }) }
  },

  async build_auto_allocate(modelAction) {
    const { pk } = await findOrCreateBuild(modelAction)
    return { response: await modelAction.client.post(`/api/build/${pk}/auto-allocate/`, { interchangeable: modelAction.flag }) }
  },

  async build_change_allocation(modelAction) {
    const { body } = await modelAction.client.get('/api/build/item/?limit=1000')
    const allocation = body.results[modelAction.picks[0] % body.results.length]
    if (!allocation) return
    const url = `/api/build/item/${allocation.pk}/`
    return {
      response: await (modelAction.flag
        ? modelAction.client.patch(url, { quantity: modelAction.whole })
        : modelAction.client.delete(url)),
    }
  },

  async build_unallocate(modelAction) {
    const { pk, lines } = await findOrCreateBuild(modelAction)
    return {
      response: await modelAction.client.post(`/api/build/${pk}/unallocate/`, {
        build_line: modelAction.flag ? lines[0]?.pk : null,
      }),
    }
  },

  async build_begin(modelAction) {
    const { pk } = await findOrCreateBuild(modelAction)
    return {
      response: await modelAction.client.post(`/api/build/${pk}/create-output/`, {
        quantity: modelAction.whole,
        location: modelAction.location,
      }),
    }
  },

  async build_complete(modelAction) {
    const { pk } = await findOrCreateBuild(modelAction)
    const incompleteOutput = await findOutput(modelAction, pk)
    const body = { outputs: [{ output: incompleteOutput?.pk }], location: modelAction.location }
    return incompleteOutput && { response: await modelAction.client.post(`/api/build/${pk}/complete/`, body) }
  },

  async build_scrap(modelAction) {
    const { pk } = await findOrCreateBuild(modelAction)
    const incompleteOutput = await findOutput(modelAction, pk)
    const body = {
      outputs: [{ output: incompleteOutput?.pk, quantity: modelAction.whole }],
      location: locations.shed,
      notes: 'Cracked',
    }
    return incompleteOutput && { response: await modelAction.client.post(`/api/build/${pk}/scrap-outputs/`, body) }
  },

  async build_delete_output(modelAction) {
    const { pk } = await findOrCreateBuild(modelAction)
    const incompleteOutput = await findOutput(modelAction, pk)
    const body = { outputs: [{ output: incompleteOutput?.pk }] }
    return incompleteOutput && { response: await modelAction.client.post(`/api/build/${pk}/delete-outputs/`, body) }
  },

  async build_finish(modelAction) {
    const { pk } = await findOrCreateBuild(modelAction)
    const accept_overallocated = modelAction.flag ? 'accept' : 'trim'
    const body = { accept_overallocated, accept_unallocated: true, accept_incomplete: true }
    return { response: await modelAction.client.post(`/api/build/${pk}/finish/`, body) }
  },

  async build_cancel(modelAction) {
    const { pk } = await findOrCreateBuild(modelAction)
    const body = { remove_allocated_stock: modelAction.flag, remove_incomplete_outputs: true }
    return { response: await modelAction.client.post(`/api/build/${pk}/cancel/`, body) }
  },
}
