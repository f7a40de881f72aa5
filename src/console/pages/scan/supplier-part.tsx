import metadata from 'metadata:/api/company/part/'
import { useEffect } from 'preact/hooks'
import { bindSubmit, Field, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { ReferenceField } from '../../kit/form/reference-field.tsx'
import { label as fieldLabel, t } from '../../kit/language/language.ts'
import { DescriptionList } from '../../kit/page/page.tsx'
import { get, type Page, post, withQuery } from '../../kit/service/api.ts'

/** The contents of a supplier's label, as `/api/barcode/` returns them for an unknown one. */
export type Label = {
  supplier?: number
  supplier_name?: string
  supplier_part_number?: string
  manufacturer_part_number?: string
  manufacturer?: string
  customer_order_number?: string
  quantity?: string
}

type NamedOption = { pk: number; name: string }
type Part = { pk: number; full_name: string; description: string }
type ManufacturerPart = { pk: number; part: number }

type Properties = { label: Label; onCreated: (sku: string) => void; onCancel: () => void }

/** Creates the supplier part of an unknown label, filled from the label. */
export function NewSupplierPartFromLabel({ label, onCreated, onCancel }: Properties) {
  const form = useForm(metadata, {
    supplier: label.supplier ?? null,
    part: null,
    manufacturer_part: null,
    SKU: label.supplier_part_number ?? label.manufacturer_part_number ?? '',
  })
  useEffect(() => {
    if (label.manufacturer_part_number) findManufacturerPart(label.manufacturer_part_number).then(applyManufacturerPart)
  }, [])
  /** A known manufacturer part also determines the part. */
  function applyManufacturerPart(manufacturerPart: ManufacturerPart | undefined): void {
    if (!manufacturerPart) return
    form.values.value = { ...form.values.value, part: manufacturerPart.part, manufacturer_part: manufacturerPart.pk }
  }
  async function createSupplierPart(): Promise<void> {
    const response = await form.submit((key) => post<{ SKU: string }>(metadata.path, form.values.value, key))
    if (response) onCreated(response.body.SKU)
  }
  return (
    <form {...bindSubmit(createSupplierPart)}>
      <h2>{t('scan.create-supplier-part')}</h2>
      <DescriptionList
        rows={[
          [fieldLabel('MPN'), label.manufacturer_part_number],
          [t('scan.manufacturer'), label.manufacturer],
          [t('scan.order'), label.customer_order_number],
          [fieldLabel('quantity'), label.quantity],
        ]}
      />
      <div class="fields">
        <ReferenceField<Part>
          form={form}
          name="part"
          url="/api/part/"
          query={{ active: true, purchaseable: true }}
          getTitle={({ full_name }) => full_name}
          getDetail={({ description }) => description}
          title={t('scan.part')}
          help={null}
        />
        <ReferenceField<NamedOption>
          form={form}
          name="supplier"
          url="/api/company/"
          query={{ is_supplier: true }}
          getTitle={({ name }) => name}
          title={t('scan.supplier')}
          help={null}
        />
        <Field form={form} name="SKU" help={null} />
        <Field form={form} name="pack_quantity" help={null} title={t('scan.pack-quantity')} />
      </div>
      <FormFooter form={form} onCancel={onCancel}>
        {t('scan.create-supplier-part')}
      </FormFooter>
    </form>
  )
}

/** The only manufacturer part with this MPN. */
async function findManufacturerPart(MPN: string): Promise<ManufacturerPart | undefined> {
  const url = withQuery('/api/company/part/manufacturer/', { MPN, limit: 2 })
  const { results } = (await get<Page<ManufacturerPart>>(url)).body
  return results.length === 1 ? results[0] : undefined
}
