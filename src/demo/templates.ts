import { OWNER } from '../resources/web/demo/demo-accounts.ts'
import { assets, shelfLabel, snippets } from './data/templates.ts'
import type { DemoContext } from './past-event.ts'

/** Adds the workshop's print templates to the built-in ones. */
export async function createTemplates({ client }: DemoContext): Promise<void> {
  for (const asset of assets) await client.post(OWNER, '/api/report/asset/', asset)
  for (const snippet of snippets) await client.post(OWNER, '/api/report/snippet/', snippet)
  await client.post(OWNER, '/api/label/location/', shelfLabel)
}
