/** A group of operations that clients use, and the API version from which they expect it under this path. */
type Group = { since: number; path: string }

const GROUPS = {
  labels: { since: 201, path: '/api/label/print/' },
  attachments: { since: 207, path: '/api/attachment/' },
  parameters: { since: 429, path: '/api/parameter/' },
  templates: { since: 429, path: '/api/parameter/template/' },
  metadata: { since: 436, path: '/api/metadata/{}/{}/' },
  roles: { since: 490, path: '/api/user/me/roles/' },
  ownToken: { since: 490, path: '/api/user/me/token/' },
  transferOrders: { since: 530, path: '/api/order/transfer-order/' },
  stocktakes: { since: 530, path: '/api/part/stocktake/generate/' },
  dataOutput: { since: 530, path: '/api/data-output/{}/' },
  formerParameters: { since: 0, path: '/api/part/parameter/' },
  formerAttachments: { since: 0, path: '/api/part/attachment/' },
  formerLabels: { since: 0, path: '/api/label/part/' },
  parts: { since: 0, path: '/api/part/' },
  stock: { since: 0, path: '/api/stock/' },
  orders: { since: 0, path: '/api/order/po/' },
  salesOrders: { since: 0, path: '/api/order/so/' },
} satisfies Record<string, Group>

type GroupName = keyof typeof GROUPS

/** A client of InvenTree: the lowest API version that it connects to, and the groups that it uses. */
type Client = {
  name: string
  versions: string
  /** It connects to a service that announces this API version or a higher one; 0 for one that does not compare it. */
  requires: number
  uses: readonly GroupName[]
  /** Of these it uses the ones that the announced version has, and none or previous ones for lower versions. */
  adapts?: readonly GroupName[]
}

/** Clients in use, from their public sources of November 2026. */
const CLIENTS: readonly Client[] = [
  {
    name: 'Python library inventree',
    versions: 'before 0.16',
    requires: 0,
    uses: ['parts', 'stock', 'orders', 'formerParameters', 'formerAttachments', 'formerLabels'],
  },
  {
    name: 'Python library inventree',
    versions: '0.16 and newer',
    requires: 206,
    uses: ['parts', 'stock', 'orders'],
    adapts: ['attachments', 'labels', 'parameters', 'templates', 'metadata'],
  },
  { name: 'Ki-nTree', versions: 'before 1.1', requires: 0, uses: ['parts', 'formerParameters', 'formerAttachments'] },
  { name: 'Ki-nTree', versions: '1.1 and newer', requires: 429, uses: ['parts', 'parameters', 'templates', 'attachments'] },
  {
    name: 'inventree-part-import',
    versions: 'before 1.9',
    requires: 0,
    uses: ['parts', 'formerParameters', 'formerAttachments'],
  },
  {
    name: 'inventree-part-import',
    versions: '1.9 and newer',
    requires: 429,
    uses: ['parts', 'parameters', 'templates', 'attachments'],
  },
  {
    name: 'mobile app',
    versions: '0.24',
    requires: 100,
    uses: ['parts', 'stock', 'orders', 'salesOrders'],
    adapts: ['labels', 'attachments', 'parameters', 'roles'],
  },
  {
    name: 'inventree-mcp (davidvanlaatum)',
    versions: 'of 2026',
    requires: 0,
    uses: ['parts', 'stock', 'attachments', 'parameters', 'templates', 'ownToken', 'transferOrders', 'stocktakes', 'dataOutput'],
  },
  {
    name: 'inventree-mcp (munin92)',
    versions: 'of 2026',
    requires: 0,
    uses: ['parts', 'stock', 'orders', 'salesOrders', 'attachments', 'formerParameters', 'formerLabels'],
  },
  { name: 'inventree-card for Home Assistant', versions: 'of 2026', requires: 0, uses: ['parts', 'stock', 'formerParameters'] },
  { name: 'spoolman-inventree-proxy', versions: 'of 2026', requires: 0, uses: ['parts', 'stock'] },
  { name: 'inventory sync for WooCommerce', versions: 'of 2026', requires: 0, uses: ['parts', 'stock', 'salesOrders'] },
  { name: 'InvenTree-Importer', versions: 'of 2026', requires: 0, uses: ['orders', 'templates'] },
]

/** Whether a client connects, and what it uses that this service does not have. */
export type ClientVerdict = {
  client: string
  versions: string
  connects: boolean
  /** The lowest API version that it connects to, if the announced one is lower. */
  requires?: number
  /** Paths that it uses and this service does not have. */
  missing: string[]
  /** Paths that it would use if a higher version were announced. */
  unused: string[]
}

/**
 * Says of each client whether it works with a service that announces an API version.
 * @param paths the paths of the service's operations, with {} for each parameter
 */
export function judgeClients(announced: number, paths: ReadonlySet<string>): ClientVerdict[] {
  const isMissing = (path: string) => !paths.has(path)
  return CLIENTS.map(({ name, versions, requires, uses, adapts = [] }) => {
    const connects = announced >= requires
    const used = [...uses, ...adapts.filter((group) => GROUPS[group].since <= announced)]
    const unused = adapts.filter((group) => GROUPS[group].since > announced)
    const listPaths = (groups: readonly GroupName[]) => groups.map((group) => GROUPS[group].path)
    return {
      client: name,
      versions,
      connects,
      ...(connects ? {} : { requires }),
      missing: connects ? listPaths(used).filter(isMissing) : [],
      unused: connects ? listPaths(unused) : [],
    }
  })
}

/** Describes a verdict in one line. */
export function describeClient(
  { client, versions, connects, requires, missing, unused }: ClientVerdict,
  announced: number,
): string {
  const name = `${client}, ${versions}`
  if (!connects) return `${name}: does not connect, since it requires API ${requires} and ${announced} is announced`
  const lacks = missing.length > 0 ? `, but finds no ${missing.join(', ')}` : ''
  const spares = unused.length > 0 ? `, without ${unused.join(', ')}` : ''
  return `${name}: connects${lacks}${spares}`
}
