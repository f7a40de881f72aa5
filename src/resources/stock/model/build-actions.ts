import { locations } from '../fixture.ts'
import { type Done, familyOf, type ModelAction, picked } from './model-action.ts'

let lastReference = 0

/** Returns a build order for the step, with its lines, and creates one if there is none. */
export async function work({
  world,
  client,
  picks,
}: ModelAction): Promise<{ pk: number; lines: { pk: number; part: number }[] }> {
  const { body } = await client.get('/api/build/?active=true&ordering=reference')
  const made = async () => {
    lastReference += 1
    return (await client.post('/api/build/', { reference: `BO-${lastReference}`, part: world.chair, quantity: 5 })).body
  }
  const { pk } = body.results[picks[2] % 2] ?? body.results[0] ?? (await made())
  const { results } = (await client.get(`/api/build/line/?build=${pk}&ordering=pk`)).body
  return { pk, lines: results.map((line: any) => ({ pk: line.pk, part: line.part_detail.pk })) }
}

/** Returns an output of the build order that is not complete. */
async function output({ client, picks }: ModelAction, of: number): Promise<{ pk: number; quantity: number } | undefined> {
  const { body } = await client.get(`/api/stock/?build=${of}&is_building=true&limit=1000`)
  return body.results[picks[0] % body.results.length]
}

/** Build order actions on stock, by name; each new action is one entry. They make a part of their own, which the model does not track. */
export const buildActions: Record<string, (deed: ModelAction) => Promise<Done>> = {
  async build_allocate(deed) {
    const { pk, lines } = await work(deed)
    const items = [0, 1].flatMap((place) => {
      const item = picked(deed, place as 0 | 1)
      const line = lines.find(({ part }) => item && familyOf(item.part).includes(part))
      return item && line ? { build_line: line.pk, stock_item: item.pk, quantity: item.serial ? 1 : deed.whole } : []
    })
    return { answer: await deed.client.post(`/api/build/${pk}/allocate/`, { items }) }
  },

  async build_auto_allocate(deed) {
    const { pk } = await work(deed)
    return { answer: await deed.client.post(`/api/build/${pk}/auto-allocate/`, { interchangeable: deed.flag }) }
  },

  async build_change_allocation(deed) {
    const { body } = await deed.client.get('/api/build/item/?limit=1000')
    const known = body.results[deed.picks[0] % body.results.length]
    if (!known) return
    const address = `/api/build/item/${known.pk}/`
    return { answer: await (deed.flag ? deed.client.patch(address, { quantity: deed.whole }) : deed.client.delete(address)) }
  },

  async build_unallocate(deed) {
    const { pk, lines } = await work(deed)
    return { answer: await deed.client.post(`/api/build/${pk}/unallocate/`, { build_line: deed.flag ? lines[0]?.pk : null }) }
  },

  async build_begin(deed) {
    const { pk } = await work(deed)
    return {
      answer: await deed.client.post(`/api/build/${pk}/create-output/`, { quantity: deed.whole, location: deed.location }),
    }
  },

  async build_complete(deed) {
    const { pk } = await work(deed)
    const begun = await output(deed, pk)
    const body = { outputs: [{ output: begun?.pk }], location: deed.location }
    return begun && { answer: await deed.client.post(`/api/build/${pk}/complete/`, body) }
  },

  async build_scrap(deed) {
    const { pk } = await work(deed)
    const begun = await output(deed, pk)
    const body = { outputs: [{ output: begun?.pk, quantity: deed.whole }], location: locations.shed, notes: 'Cracked' }
    return begun && { answer: await deed.client.post(`/api/build/${pk}/scrap-outputs/`, body) }
  },

  async build_delete_output(deed) {
    const { pk } = await work(deed)
    const begun = await output(deed, pk)
    const body = { outputs: [{ output: begun?.pk }] }
    return begun && { answer: await deed.client.post(`/api/build/${pk}/delete-outputs/`, body) }
  },

  async build_finish(deed) {
    const { pk } = await work(deed)
    const accept_overallocated = deed.flag ? 'accept' : 'trim'
    const body = { accept_overallocated, accept_unallocated: true, accept_incomplete: true }
    return { answer: await deed.client.post(`/api/build/${pk}/finish/`, body) }
  },

  async build_cancel(deed) {
    const { pk } = await work(deed)
    const body = { remove_allocated_stock: deed.flag, remove_incomplete_outputs: true }
    return { answer: await deed.client.post(`/api/build/${pk}/cancel/`, body) }
  },
}
