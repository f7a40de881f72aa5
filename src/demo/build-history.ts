import { builds, type DemoBuild } from './data/builds.ts'
import { OWNER } from './data/people.ts'
import type { Happening, Scene } from './happening.ts'

/** The lives of all build orders. */
export function buildHistory(scene: Scene): Happening[] {
  return builds.flatMap((build) => {
    const { reference, created, cancelled } = build
    const act = (action: string) => scene.client.post(OWNER, `/api/build/${scene.keys.get('build', reference)}/${action}/`)
    return [
      { day: created, run: () => write(scene, build) },
      ...(cancelled === undefined ? [] : [{ day: cancelled, run: () => act('cancel') }]),
    ]
  })
}

async function write({ client, keys, calendar }: Scene, build: DemoBuild): Promise<void> {
  const { reference, title, part, quantity, batch, priority } = build
  const made = await client.post(OWNER, '/api/build/', {
    reference,
    title,
    part: keys.get('part', part),
    quantity,
    batch,
    priority,
    target_date: calendar.date(build.target),
    parent: keys.find('build', build.parent),
    sales_order: keys.find('sales order', build.sales_order),
    project_code: keys.find('project', build.project),
    destination: keys.find('location', build.destination),
    responsible: keys.get('owner', OWNER),
  })
  keys.set('build', reference, made)
}
