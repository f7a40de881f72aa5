import type { Tags } from '../kit/http/openapi.ts'

/** The groups of operations in the OpenAPI document, by what stands behind `/api/` in their addresses. */
export const tags: Tags = {
  service: { title: 'The service', description: 'What the service is, and which versions of the interface it speaks.' },
  action: { title: 'Actions', description: 'What plugins offer to do by name.' },
  admin: { title: 'Administration', description: 'How the process was set up by whoever runs it.' },
  auth: {
    title: 'Signing in',
    description: 'Log-in, registration, passwords, mail addresses, second factors, single sign-on: everything about oneself.',
  },
  'background-task': {
    title: 'Background tasks',
    description: 'What the service does beside requests: what waits, what is done by the clock, and what failed.',
  },
  barcode: { title: 'Barcodes', description: 'What scanned codes stand for, linking codes to objects, and ordering by a code.' },
  bom: {
    title: 'Bills of materials',
    description: 'What assemblies are made of: how much of which component, and what may be used in its place.',
  },
  build: { title: 'Builds', description: 'Build orders: what is made, of which parts.' },
  company: {
    title: 'Companies',
    description:
      'Suppliers, manufacturers and customers with their contacts and addresses; the parts that they sell and make, and their prices.',
  },
  contenttype: { title: 'Kinds of objects', description: 'The kinds of objects, as programs know them.' },
  currency: {
    title: 'Currencies',
    description: 'The exchange rates by which amounts in other currencies are compared and summed.',
  },
  email: { title: 'Signing in by mail', description: 'Links that sign their reader in without a password.' },
  'error-report': {
    title: 'Error reports',
    description: 'What went wrong in the service itself, for staff to look into.',
  },
  flags: { title: 'Flags', description: 'What interfaces may offer before it is for everyone.' },
  generic: { title: 'States', description: 'The tables of states of orders, stock and machines, with their texts and colours.' },
  label: {
    title: 'Labels',
    description: 'Templates of labels, for parts, stock items and places, and printing them.',
  },
  license: { title: 'Licences', description: 'The packages of others that the service runs with, and their licences.' },
  locate: { title: 'Locating', description: 'Plugins that make stock items and locations show where they are.' },
  machine: {
    title: 'Machines',
    description: 'Machines in the workshop, such as label printers, with the settings of their types and drivers.',
  },
  news: { title: 'News', description: 'What the feed tells of that the installation follows.' },
  'notes-image-upload': { title: 'Pictures in notes', description: 'Pictures that notes show by their address.' },
  notifications: {
    title: 'Notifications',
    description: 'What one is told of: orders that one looks after, parts that one follows.',
  },
  order: {
    title: 'Orders',
    description: 'Purchase orders from the draft to the last delivery, with their lines; receiving puts what came into stock.',
  },
  part: { title: 'Parts', description: 'Everything that is bought, made, stored or sold, and the categories it is sorted into.' },
  plugins: {
    title: 'Plugins',
    description: 'Programs that take part in what the service does: which there are, which are switched on, and their settings.',
  },
  'print-job': { title: 'Prints', description: 'Prints in the background: how far they are, and what came of them.' },
  'project-code': { title: 'Project codes', description: 'The projects that orders are charged to.' },
  report: {
    title: 'Reports',
    description: 'Templates of reports, such as that of a purchase order, printing them, and the files that templates share.',
  },
  search: { title: 'Search', description: 'Several kinds of objects searched in one request.' },
  settings: {
    title: 'Settings',
    description: 'Settings of the installation, of an account, and of how an account is notified.',
  },
  stock: {
    title: 'Stock',
    description:
      'Stock items, where they are and what happened to them: counting, moving, splitting, joining, each with its entry in the history.',
  },
  units: { title: 'Units', description: "Units of measure of one's own, beside the physical ones that are known already." },
  user: { title: 'Accounts', description: 'Accounts, groups, roles and rights, tokens and sessions.' },
  version: { title: 'Version', description: 'The versions of the service and of what it is made of.' },
  'version-text': { title: 'Changes', description: 'What versions of the interface brought for clients.' },
  web: {
    title: 'Web interfaces',
    description:
      'What web interfaces need beside the objects: several answers at once, saved views, and which interface a browser prefers.',
  },
  webhook: { title: 'Webhooks', description: 'What other services may send.' },
}
