/**
 * What the columns of a table are called in other languages than the interface speaks, by the field that they are for: in German as the
 * console calls them. No word stands for two of them.
 */
export const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  quantity: ['Menge'],
  reference: ['Referenz'],
  overage: ['Zuschlag', 'Verlust'],
  allow_variants: ['Auch Varianten', 'Varianten möglich'],
  inherited: ['Gilt auch für Varianten', 'Auch für Varianten'],
  optional: ['Optional'],
  consumable: ['Verbrauchsmaterial'],
  note: ['Bemerkung'],
  part: ['Teil', 'Bauteil', 'Bauteil: Schlüssel oder Name'],
  part_id: ['Bauteil: Schlüssel'],
  part_name: ['Bauteil: Name'],
  part_ipn: ['Teilenummer', 'Bauteil: Teilenummer'],
  level: ['Ebene'],
}
