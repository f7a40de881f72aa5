import { getWebPage } from '../../web-pages.ts'
import { getTemplateModel, isLabel, type TemplateKind, type TemplateModel } from '../kinds.ts'
import type { TemplateMetadata } from '../rendering.ts'
import type { TemplateObject } from './objects.ts'
import { indexParameterValues } from './parameters.ts'
import { sampleObjects } from './samples.ts'
import { testVariables } from './tests.ts'

/** The sample of a kind of object, and the variables of its templates in addition to the common ones. */
type ModelContext = {
  sample: (kind: TemplateKind) => TemplateObject
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

/** Labels and reports of one kind of object have the same variables. */
const modelContexts: Readonly<Record<TemplateModel, ModelContext>> = {
  part: {
    sample: (kind) => (isLabel(kind) ? sampleObjects.part() : sampleObjects.assembly()),
    variables: (part, baseUrl) => ({
      part,
      get category() {
        return part.category
      },
      get bom_items() {
        return part.bom_items
      },
      get test_template_list() {
        return part.test_templates
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
  stockitem: {
    sample: (kind) => (isLabel(kind) ? sampleObjects.stockItem() : sampleObjects.testedItem()),
    variables: (item, baseUrl, { include_installed = false }) =>
      Object.defineProperties(
        {
          item,
          stock_item: item,
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
          batch: item.batch,
          barcode_hash: item.barcode_hash,
          barcode_data: item.barcode_data,
          qr_data: buildQrData('stockitem', item),
          qr_url: `${baseUrl}${getWebPage('/api/stock/', item.pk)}`,
          get tests() {
            return testVariables(item, 'test_results').results
          },
          get installed_items() {
            return item.all_installed_items
          },
          get child_items() {
            return item.child_items
          },
        },
        Object.getOwnPropertyDescriptors(testVariables(item, include_installed ? 'all_test_results' : 'test_results')),
      ),
  },
  stocklocation: {
    sample: () => sampleObjects.location(),
    variables: (location, baseUrl) => ({
      location,
      stock_location: location,
      get parent() {
        return location.parent
      },
      get stock_items() {
        return location.stock_items
      },
      qr_data: buildQrData('stocklocation', location),
      qr_url: `${baseUrl}/stock/location/${location.pk}/`,
    }),
  },
  build: {
    sample: () => sampleObjects.build(),
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
  buildline: {
    sample: () => sampleObjects.buildLine(),
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
  company: {
    sample: () => sampleObjects.company(),
    variables: (company, baseUrl) => ({
      company,
      name: company.name,
      description: company.description,
      get addresses() {
        return company.addresses
      },
      get contacts() {
        return company.contacts
      },
      qr_data: buildQrData('company', company),
      qr_url: `${baseUrl}/company/${company.pk}/`,
    }),
  },
  purchaseorder: { sample: () => sampleObjects.purchaseOrder(), variables: orderVariables('supplier') },
  salesorder: { sample: () => sampleObjects.salesOrder(), variables: orderVariables('customer') },
  returnorder: { sample: () => sampleObjects.returnOrder(), variables: orderVariables('customer') },
  transferorder: {
    sample: () => sampleObjects.transferOrder(),
    variables: (order) => ({
      order,
      reference: order.reference,
      description: order.description,
      title: order.reference,
      get lines() {
        return order.lines
      },
      get allocations() {
        return order.allocations
      },
    }),
  },
  salesordershipment: {
    sample: () => sampleObjects.shipment(),
    variables: (shipment) => ({
      shipment,
      reference: shipment.reference,
      tracking_number: shipment.tracking_number,
      get order() {
        return shipment.order
      },
      get title() {
        const reference = getProperty(shipment.order, 'reference')
        const title = (order: unknown) => `${order} - ${shipment.reference}`
        return reference instanceof Promise ? reference.then(title) : title(reference)
      },
      get address() {
        return getProperty(shipment.order, 'address')
      },
      get allocations() {
        return shipment.allocations
      },
    }),
  },
}

/** The variables of one object, for the templates of a kind. */
export const getKindContext = (kind: TemplateKind): ModelContext => modelContexts[getTemplateModel(kind)]
