import { Type } from 'typebox'
import { Json, procedure } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { fieldErrors } from '../../kit/definition/problem-schema.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { invalid } from '../../kit/request/problem.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { OPERATIONS } from './batch/operations.ts'
import { entryFields, type ProcessedEntry, processEntry } from './batch/work-entry.ts'

/** Maximum entries of one request. */
const MAX_ENTRIES = 250

/** All fields that an entry may have; its action determines which of them apply. */
const fields: input.Shape = Object.assign({}, ...[...OPERATIONS.values()].map(({ body }) => body))

/** The action of an entry determines its fields. */
const entry = input.object({
  ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, required: false }])),
  ...entryFields,
  barcode: fields.barcode as input.Input<unknown>,
  quantity: input.quantity({
    help: 'The quantity to count or remove; both require it. When empty, everything is moved, as much as possible is allocated, and the number of packs on the label is received.',
  }),
})

export const processBatch = procedure({
  method: 'POST',
  path: '/api/barcode/batch/',
  summary: 'Process a batch of scans',
  description: `Processes up to ${MAX_ENTRIES} stored scans in their order, each in its own transaction; a rejected scan does not stop the rest. Each has the response of its single operation: \`scan\` of \`/api/barcode/\`, \`link\`, \`receive\` and \`allocate\` of \`link/\`, \`po-receive/\` and \`so-allocate/\` below it; \`move\`, \`count\` and \`remove\` change the scanned stock item as \`/api/stock/transfer/\`, \`count/\` and \`remove/\` do; \`build-allocate\` allocates it to the build order \`build\`, never more than is missing, and requires \`build_line\` or \`output\` (\`candidates\`) if several are short of it. Each needs the permissions of its operation. An entry whose \`id\` was processed before has its earlier response, rejections included, or 422 with other fields: send an interrupted batch again as it is, and retry a rejected scan with a new id. \`time\` is stored in the stock history, and \`history\` is the scan in \`/api/barcode/history/\`.`,
  errors: {
    invalid: 'The list of entries is missing or too long. An error of an entry is in the response of that entry.',
    conflict:
      'An entry repeatedly conflicts with other changes of the same objects. The entries before it are done. Send the batch again.',
  },
  example: {
    body: {
      items: [
        { id: '0f9a4c1e-5b7d-4a53-8e7c-2f6f6f1a0c01', time: '2026-11-20T09:30:00Z', action: 'scan', barcode: '{"stockitem": 1}' },
        {
          id: '0f9a4c1e-5b7d-4a53-8e7c-2f6f6f1a0c02',
          time: '2026-11-20T09:30:20Z',
          action: 'move',
          barcode: '{"stockitem": 11}',
          location_barcode: '{"stocklocation": 9}',
        },
        {
          id: '0f9a4c1e-5b7d-4a53-8e7c-2f6f6f1a0c03',
          time: '2026-11-20T09:31:00Z',
          action: 'count',
          barcode: '{"stockitem": 12}',
          quantity: 40,
          notes: 'Counted at the shelf',
        },
      ],
    },
  },
  access: signedIn,
  readsBody: true,
  body: {
    items: input.list(entry, {
      required: true,
      max: MAX_ENTRIES,
      help: `The scans in their order, at most ${MAX_ENTRIES}.`,
    }),
  },
  status: 200,
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.Union([Type.String(), Type.Null()], { description: 'The id of the entry; null if it has none.' }),
        status: Type.Integer({ description: 'The HTTP status of its response.' }),
        history: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Its primary key in the scan history; null if it has none.',
        }),
        body: Type.Object({}, { additionalProperties: true, description: 'Its response, as the single operation returns it.' }),
        field_errors: fieldErrors,
      }),
      { description: 'The responses, in the order of the entries.' },
    ),
  }),
  async handle(request) {
    const { items } = request.raw
    if (items === undefined) throw invalid({ items: [valueErrors.required] })
    if (!Array.isArray(items)) throw invalid({ items: [valueErrors.list_expected] })
    if (items.length > MAX_ENTRIES) throw invalid({ items: [valueErrors.max_items({ max_items: MAX_ENTRIES })] })
    const responses: string[] = []
    for (const item of items) responses.push(toJson(await processEntry(request, item)))
    return new Json(`{"items":[${responses.join()}]}`)
  },
})

const toJson = ({ id, status, scan, body, field_errors }: ProcessedEntry): string =>
  `{"id":${JSON.stringify(id)},"status":${status},"history":${scan},"body":${body},"field_errors":${field_errors}}`
