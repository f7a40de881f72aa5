import { Type } from 'typebox'
import { procedure } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { readDetail } from '../../kit/reading/detail.ts'
import { type Caller, requireAccess, signedIn } from '../../kit/request/caller.ts'
import { formatValue } from '../../kit/request/errors.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { ActivePlugin, Services } from '../../kit/services/services.ts'
import { parseReferencedKey } from '../../kit/values/json.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { callForRequest } from '../../plugin-host/call-for.ts'
import { stockLocation } from '../stock/location/stock-location.resource.ts'
import { stockErrors } from '../stock/stock-errors.ts'
import { stockItem } from '../stock/stock-item.resource.ts'

const createKeyInput = (label: string, help: string) => input.optional(input.integer({ label, help }))

export const locate = procedure({
  method: 'POST',
  path: '/api/locate/',
  summary: 'Locate a stock item or location',
  description:
    'Lets a plugin show where a stock item or a location is, for example with a light; with both, the item. A plugin that supports only locations receives that of the item, if it is in stock. Requires permission to view the object.',
  errors: {
    not_found: 'The stock item or location does not exist.',
    invalid: 'The plugin is not named or does not run, or no object is named.',
    unavailable: 'The plugin failed, or took longer than 10 seconds.',
  },
  example: { body: { plugin: 'lamps', item: 1 }, status: 400 },
  access: signedIn,
  status: 200,
  readsBody: true,
  body: {
    plugin: input.text({ required: true, label: 'Plugin', help: 'The plugin.' }),
    item: createKeyInput('Item', 'The stock item.'),
    location: createKeyInput('Location', 'The location.'),
  },
  response: Type.Object({
    success: Type.String(),
    plugin: Type.String({ description: 'The plugin that was called.' }),
    item: Type.Optional(Type.Integer({ description: 'The requested item.' })),
    location: Type.Optional(Type.Integer({ description: 'The requested location.' })),
  }),
  async handle(request) {
    const { plugin, item, location } = request.raw
    if (!plugin) throw invalidRequest(stockErrors.locating_plugin_required)
    const itemPlugin = findRunningPlugin(request, 'locate.item', plugin)
    const locationPlugin = findRunningPlugin(request, 'locate.location', plugin)
    if (!itemPlugin && !locationPlugin) throw invalidRequest(stockErrors.plugin_cannot_locate({ plugin: formatValue(plugin) }))
    const success = { success: 'Identification plugin activated', plugin: formatValue(plugin) }
    if (item) {
      const pk = await requireVisible(request, stockItem, 'StockItem', item)
      if (itemPlugin) await callPlugin(request, itemPlugin, pk)
      else if (locationPlugin) await showItemLocation(request, locationPlugin, pk)
      return { ...success, item: pk }
    }
    if (!location) throw invalidRequest(stockErrors.located_object_required)
    const pk = await requireVisible(request, stockLocation, 'StockLocation', location)
    if (locationPlugin) await callPlugin(request, locationPlugin, pk)
    return { ...success, location: pk }
  },
})

type LocateRequest = Services & { caller: Caller }

const invalidRequest = (detail: ErrorMessage) => new Problem('invalid', detail)

const findRunningPlugin = ({ plugins }: LocateRequest, hook: string, key: unknown): ActivePlugin | undefined =>
  plugins.withHook(hook).find((plugin) => plugin.key === key)

const callPlugin = (request: LocateRequest, plugin: ActivePlugin, pk: number): Promise<void> =>
  callForRequest(request, plugin, [pk], () => {})

/** Shows the location of an item; nothing for an item without a location or not in stock. */
async function showItemLocation(request: LocateRequest, plugin: ActivePlugin, pk: number): Promise<void> {
  const text = 'select location from stock_item where pk = $1 and in_stock and location is not null'
  const [item] = await request.database.read<{ location: number }>({ text, values: [pk] })
  if (item) await callPlugin(request, plugin, item.location)
}

/** Returns the primary key of an object that the caller can view. @throws Problem 403, or 404 if it does not exist */
async function requireVisible(request: LocateRequest, resource: Resource, kind: string, rawKey: unknown): Promise<number> {
  const { caller } = request
  requireAccess(resource.access, caller, 'view')
  const pk = parseReferencedKey(rawKey) ?? 0
  try {
    if (pk <= 0) throw new Problem('not_found')
    await readDetail(resource, pk, new Set(), { caller, services: request, executor: request.database })
    return pk
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found')
      throw new Problem('not_found', stockErrors.located_object_not_found({ kind, pk: formatValue(rawKey) }))
    throw error
  }
}
