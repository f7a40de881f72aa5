/**
 * What else the columns of a table are called, by the field that they are for: in German as the console calls them, and as programs that
 * draw boards and people do in either language. No word stands for two of them.
 */
export const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  quantity: ['Qty', 'Menge', 'Anzahl', 'Stückzahl', 'Stück'],
  reference: [
    'References',
    'Ref',
    'Refs',
    'Designator',
    'Designators',
    'RefDes',
    'Reference Designator',
    'Referenz',
    'Referenzen',
  ],
  overage: ['Zuschlag', 'Verlust'],
  allow_variants: ['Auch Varianten', 'Varianten möglich'],
  inherited: ['Gilt auch für Varianten', 'Auch für Varianten'],
  optional: ['Optional'],
  consumable: ['Verbrauchsmaterial'],
  note: ['Notes', 'Comment', 'Comments', 'Bemerkung', 'Notiz', 'Anmerkung', 'Kommentar'],
  part: ['Component', 'Teil', 'Bauteil', 'Bauteil: Schlüssel oder Name'],
  part_id: ['Bauteil: Schlüssel'],
  part_name: ['Bauteil: Name'],
  part_ipn: ['IPN', 'Teilenummer', 'Artikelnummer', 'Bauteil: Teilenummer'],
  level: ['Ebene'],
}
