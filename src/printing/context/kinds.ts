import { getWebPage } from '../../web-pages.ts'
import type { TemplateKind } from '../kinds.ts'
import type { TemplateMetadata } from '../rendering.ts'
import type { TemplateObject } from './objects.ts'
import { indexParameterValues } from './parameters.ts'
import { sampleObjects } from './samples.ts'
import { testVariables } from './tests.ts'

/** The subject of a type of template, and its variables besides those of all types. */
type KindContext = {
  sample: () => TemplateObject
  /** The variables of one object. Referenced objects are read when a template uses them. */
  variables: (object: TemplateObject, baseUrl: string, template: TemplateMetadata) => Record<string, unknown>
}

/** The content of the code on a label: the type and key of its object. */
const buildQrData = (model: string, { pk }: TemplateObject): string => `{"${model}": ${pk}}`

/** A property of an object that may still have to be read. */
const getProperty = (value: unknown, name: string): unknown =>
  value instanceof Promise ? value.then((object) => getProperty(object, name)) : (value as TemplateObject | undefined)?.[name]

/** The variables of reports on purchase, sales and return orders. */
const orderVariables =
  (partner: 'supplier' | 'customer') =>
  (order: TemplateObject): Record<string, unknown> => ({
    order,
    reference: order.reference,
    description: order.description,
    get title() {
      const name = getProperty(order[partner], 'name')
      const title = (partnerName: unknown) => (partnerName ? `${order.reference} - ${partnerName}` : order.reference)
      return name instanceof Promise ? name.then(title) : title(name)
    },
    get [partner]() {
      return order[partner]
    },
    get lines() {
      return order.lines
    },
    get extra_lines() {
      return order.extra_lines
    },
  })

/** The parameters of a part by name. */
function getParameters(part: unknown): unknown {
  const parameters = getProperty(part, 'parameters')
  return parameters instanceof Promise ? parameters.then(indexParameterValues) : indexParameterValues(parameters)
}

export const kindContexts: Readonly<Record<TemplateKind, KindContext>> = {
  'label/part': {
    sample: sampleObjects.part,
    variables: (part, baseUrl) => ({
      part,
      get category() {
        return part.category
      },
      name: part.name,
      description: part.description,
      IPN: part.IPN,
      revision: part.revision,
      qr_data: buildQrData('part', part),
      qr_url: `${baseUrl}/part/${part.pk}/`,
      parameters: indexParameterValues(part.parameters),
    }),
  },
  'label/stock': {
    sample: sampleObjects.stockItem,
    variables: (item, baseUrl) => ({
      item,
      get part() {
        return item.part
      },
      get name() {
        return getProperty(item.part, 'full_name')
      },
      get ipn() {
        return getProperty(item.part, 'IPN')
      },
      get revision() {
        return getProperty(item.part, 'revision')
      },
      get parameters() {
        return getParameters(item.part)
      },
      quantity: item.quantity,
      serial: item.serial,
      barcode_hash: item.barcode_hash,
      qr_data: buildQrData('stockitem', item),
      qr_url: `${baseUrl}${getWebPage('/api/stock/', item.pk)}`,
      get tests() {
        return testVariables(item, 'test_results').results
      },
    }),
  },
  'label/location': {
    sample: sampleObjects.location,
    variables: (location, baseUrl) => ({
      location,
      qr_data: buildQrData('stocklocation', location),
      qr_url: `${baseUrl}/stock/location/${location.pk}/`,
    }),
  },
  'label/buildline': {
    sample: sampleObjects.buildLine,
    variables: (line) => ({
      build_line: line,
      get build() {
        return line.build
      },
      get bom_item() {
        return line.bom_item
      },
      get part() {
        return getProperty(line.bom_item, 'sub_part')
      },
      quantity: line.quantity,
      allocated_quantity: line.allocated,
      get allocations() {
        return line.allocations
      },
    }),
  },
  'report/po': {
    sample: sampleObjects.purchaseOrder,
    variables: orderVariables('supplier'),
  },
  'report/so': {
    sample: sampleObjects.salesOrder,
    variables: orderVariables('customer'),
  },
  'report/ro': {
    sample: sampleObjects.returnOrder,
    variables: orderVariables('customer'),
  },
  'report/slr': {
    sample: sampleObjects.location,
    variables: (stock_location) => ({
      stock_location,
      get stock_items() {
        return stock_location.stock_items
      },
    }),
  },
  'report/bom': {
    sample: sampleObjects.assembly,
    variables: (part) => ({
      part,
      get category() {
        return part.category
      },
      get bom_items() {
        return part.bom_items
      },
    }),
  },
  'report/build': {
    sample: sampleObjects.build,
    variables: (build) => ({
      build,
      get part() {
        return build.part
      },
      get build_outputs() {
        return build.build_outputs
      },
      get line_items() {
        return build.line_items
      },
      get bom_items() {
        return build.bom_items
      },
      reference: build.reference,
      quantity: build.quantity,
      title: build.title,
    }),
  },
  'report/test': {
    sample: sampleObjects.testedItem,
    variables: (item, _, { include_installed = false }) =>
      Object.defineProperties(
        {
          stock_item: item,
          serial: item.serial,
          get part() {
            return item.part
          },
          get parameters() {
            return getParameters(item.part)
          },
          get installed_items() {
            return item.all_installed_items
          },
        },
        Object.getOwnPropertyDescriptors(testVariables(item, include_installed ? 'all_test_results' : 'test_results')),
      ),
  },
}
