import type { Tags } from '../kit/http/openapi.ts'

/** The groups of operations in the OpenAPI document, by the path segment after `/api/`. */
export const tags: Tags = {
  service: { title: 'The service', description: 'The service and its API versions.' },
  action: { title: 'Actions', description: 'Actions that plugins offer by name.' },
  admin: { title: 'Administration', description: 'The configuration of the process by its operator.' },
  attachment: { title: 'Attachments', description: 'The files and links of all kinds of objects.' },
  auth: {
    title: 'Signing in',
    description: 'Sign-in, registration, passwords, email addresses, second factors and single sign-on of the caller.',
  },
  'background-task': {
    title: 'Background tasks',
    description: 'Background tasks of the service: pending, scheduled and failed ones.',
  },
  barcode: { title: 'Barcodes', description: 'Look up scanned barcodes, link barcodes to objects, and receive or allocate order lines by barcode.' },
  bom: {
    title: 'BOMs',
    description: 'The components of assemblies: quantities and substitutes.',
  },
  build: { title: 'Builds', description: 'Build orders and their components.' },
  company: {
    title: 'Companies',
    description:
      'Suppliers, manufacturers and customers with their contacts and addresses; supplier parts, manufacturer parts and prices.',
  },
  contenttype: { title: 'Object types', description: 'The object types of the API.' },
  currency: {
    title: 'Currencies',
    description: 'The exchange rates for comparing and totaling amounts in different currencies.',
  },
  'data-output': { title: 'Outputs', description: 'The prints of an account, with their files.' },
  email: { title: 'Sign-in by email', description: 'Links for signing in without a password.' },
  'error-report': {
    title: 'Error reports',
    description: 'Errors of the service itself, for staff.',
  },
  flags: { title: 'Flags', description: 'Features that clients may offer before they are generally available.' },
  generate: { title: 'Generated codes', description: 'Batch codes and serial numbers for new stock.' },
  generic: { title: 'States', description: 'The status tables of orders, stock and machines, with texts and colors.' },
  icons: { title: 'Icons', description: 'Icon fonts for web interfaces.' },
  label: {
    title: 'Labels',
    description: 'Label templates for parts, stock items and locations, and printing.',
  },
  license: { title: 'Licences', description: 'The third-party packages of the service, and their licenses.' },
  locate: { title: 'Locating', description: 'Let plugins show where stock items and locations are.' },
  machine: {
    title: 'Machines',
    description: 'Machines such as label printers, with the settings of their types and drivers.',
  },
  metadata: { title: 'Metadata', description: 'The metadata of clients for objects of every type.' },
  news: { title: 'News', description: 'The news feed of the installation.' },
  'notes-image-upload': { title: 'Images in notes', description: 'Images that notes include by URL.' },
  notifications: {
    title: 'Notifications',
    description: 'Notifications about orders that an account is responsible for, and parts that it is subscribed to.',
  },
  order: {
    title: 'Orders',
    description: 'Purchase orders from draft to final delivery, with their lines; receiving goods into stock.',
  },
  parameter: {
    title: 'Parameters',
    description: 'Parameters of parts and other objects, and their templates.',
  },
  part: { title: 'Parts', description: 'Everything that is bought, made, stored or sold, and its categories.' },
  plugins: {
    title: 'Plugins',
    description: 'Programs that extend the service, and their settings.',
  },
  'print-job': { title: 'Prints', description: 'Background prints with their progress and results.' },
  'project-code': { title: 'Project codes', description: 'The project codes of orders.' },
  report: {
    title: 'Reports',
    description: 'Report templates, such as for purchase orders, printing, and shared files of templates.',
  },
  search: { title: 'Search', description: 'Search several object types in one request.' },
  selection: { title: 'Selection lists', description: 'Lists of values that parameter templates share.' },
  settings: {
    title: 'Settings',
    description: 'Settings of the installation, of an account, and of its notifications.',
  },
  stock: {
    title: 'Stock',
    description:
      'Stock items, their locations and their history: counting, transferring, splitting and merging, each recorded in the history.',
  },
  supplier: { title: 'Catalogs of suppliers', description: 'Catalogs that plugins search.' },
  system: { title: 'Readiness', description: 'Whether the service is ready.' },
  tag: { title: 'Tags', description: 'Words that objects of many types are found by.' },
  units: { title: 'Units', description: 'Custom units of measure, in addition to the physical ones.' },
  user: { title: 'Accounts', description: 'Accounts, groups, roles and permissions, tokens and sessions.' },
  version: { title: 'Version', description: 'The versions of the service and its components.' },
  'version-text': { title: 'Changes', description: 'The changes for clients in each API version.' },
  web: {
    title: 'Web interfaces',
    description: 'Requests for web clients: several responses at once, saved views, and the preferred interface of a browser.',
  },
  webhook: { title: 'Webhooks', description: 'Requests that other services send.' },
}
