import { createTranslator } from '../../../kit/language/service-texts.ts'

/** German texts of what a verification checks and finds, by the text of the service, with `{names}` for inserted values. A test finds checks without one. */
export const VERIFICATION_TEXTS: Readonly<Record<string, string>> = {
  'The quantity of an item is its opening quantity plus the changes in its history.':
    'Die Menge eines Lagerartikels ist seine Anfangsmenge mit den Änderungen in seiner Historie.',
  'No quantity is below zero.': 'Keine Menge ist kleiner als null.',
  'An item with a serial number is a single unit.': 'Ein Lagerartikel mit Seriennummer ist ein einzelnes Stück.',
  'A serial number is unique among a part, its templates and all their variants.':
    'Eine Seriennummer ist einmalig unter einem Teil, seinen Vorlagen und allen ihren Varianten.',
  'A serial number is unique across all parts, if SERIAL_NUMBER_GLOBALLY_UNIQUE requires that for new ones.':
    'Eine Seriennummer ist einmalig unter allen Teilen, wenn SERIAL_NUMBER_GLOBALLY_UNIQUE das für neue verlangt.',
  'A scanned barcode resolves to an object that has it.': 'Ein gescannter Barcode führt zu einem Objekt, das ihn hat.',
  'A barcode belongs to one object. If a scan finds another, both were imported with it; if it finds nothing, it can be linked again.':
    'Ein Barcode gehört zu einem Objekt. Findet ein Scan ein anderes, wurden beide mit ihm importiert; findet er nichts, lässt er sich neu verknüpfen.',
  'The allocated quantity of a stock item is the sum of its open allocations, and never more than its quantity.':
    'Die reservierte Menge eines Lagerartikels ist die Summe seiner offenen Reservierungen und nie mehr als seine Menge.',
  'Allocated stock ships with a shipment of the order that it is allocated to.':
    'Reservierter Bestand geht mit einer Lieferung des Auftrags hinaus, für den er reserviert ist.',
  'Allocated stock remains in stock until its shipment ships or its order is closed.':
    'Reservierter Bestand bleibt im Lager, bis seine Lieferung versandt oder sein Auftrag geschlossen ist.',
  'Stock is allocated to a build order only while the order is open, and to an output only while that output is incomplete and belongs to the same build order.':
    'Bestand ist für einen Fertigungsauftrag nur reserviert, solange dieser offen ist, und für ein Endprodukt nur, solange es unfertig ist und zum selben Auftrag gehört.',
  'Stock that a build order consumed is not allocated to another order.':
    'Bestand, den ein Fertigungsauftrag verbraucht hat, ist für keinen anderen Auftrag reserviert.',
  'The totals of a part match its stock, order lines and suppliers.':
    'Die Summen eines Teils stimmen mit seinem Bestand, seinen Positionen und Lieferanten überein.',
  'The line counts of an order match its lines.': 'Die Anzahl der Positionen eines Auftrags stimmt.',
  'The total of an order matches its lines. A difference comes from the import of the order, or from exchange rates that have changed since.':
    'Die Summe eines Auftrags stimmt mit seinen Positionen überein. Eine Abweichung kommt vom Import oder von Wechselkursen, die sich seitdem geändert haben.',
  'The custom state of stock, or of an order, exists and belongs to its status.':
    'Der eigene Zustand von Bestand oder eines Auftrags existiert und gehört zu seinem Status.',
  'Categories, locations and variants match the tree of their parents.':
    'Kategorien, Lagerorte und Varianten passen zum Baum ihrer übergeordneten Objekte.',
  'No stock item was split from itself.': 'Kein Lagerartikel wurde von sich selbst abgeteilt.',
  'No stock item is installed in itself.': 'Kein Lagerartikel ist in sich selbst eingebaut.',
  'The row count of a table for its lists matches its rows. Housekeeping corrects it within an hour.':
    'Die gezählten Zeilen einer Tabelle stimmen. Das Aufräumen korrigiert sie innerhalb einer Stunde.',
  'The item count of a location or category matches its items, in total and in stock. Housekeeping corrects it within an hour.':
    'Die Anzahl der Objekte eines Lagerorts oder einer Kategorie stimmt, insgesamt und auf Lager. Das Aufräumen korrigiert sie innerhalb einer Stunde.',
  'Stock is allocated to a transfer order only while the order is open.':
    'Bestand ist nur so lange für einen Umlagerungsauftrag reserviert, wie er offen ist.',
  'Every referenced object exists.': 'Jedes Objekt, auf das verwiesen wird, ist vorhanden.',

  '{quantity} on hand, but it opened with {opening} and its history brought {change}':
    '{quantity} auf Lager, aber die Anfangsmenge war {opening}, und die Historie ergibt {change}',
  'serial number {serial}, but {quantity} on hand': 'Seriennummer {serial}, aber {quantity} auf Lager',
  'serial number {serial} is that of {items} items': 'Die Seriennummer {serial} haben {items} Lagerartikel',
  'a scan of the barcode {hash} finds it, but it has the barcode {other}':
    'Ein Scan des Barcodes {hash} findet es, aber es hat den Barcode {other}',
  'a scan of the barcode {hash} finds it, but it has none': 'Ein Scan des Barcodes {hash} findet es, aber es hat keinen',
  '{quantity} on hand, but {allocated} allocated': '{quantity} auf Lager, aber {allocated} reserviert',
  'its line is of order {line}, its shipment of order {shipment}':
    'Die Position gehört zu Auftrag {line}, die Lieferung zu Auftrag {shipment}',
  'it is here, but its shipment left on {date}': 'Er ist hier, aber seine Lieferung ging am {date} hinaus',
  'it has left, but its shipment has not': 'Er ist hinausgegangen, seine Lieferung nicht',
  'its build order is complete or cancelled': 'Der Fertigungsauftrag ist fertig oder abgebrochen',
  'its transfer order is complete or cancelled': 'Der Umlagerungsauftrag ist abgeschlossen oder abgebrochen',
  'it goes into an output of build order {build}, its line is of {line}':
    'Er gehört in ein Endprodukt des Fertigungsauftrags {build}, die Position zu {line}',
  'the output into which it goes is complete': 'Das Endprodukt, in das er gehört, ist fertig',
  'custom state {key} is not there': 'Den eigenen Zustand {key} gibt es nicht',
  'its status is {status}, that of its custom state {logical}': 'Der Status ist {status}, der des eigenen Zustands {logical}',
  'build order {build} consumed it, but {allocated} are allocated':
    'Der Fertigungsauftrag {build} hat ihn verbraucht, aber {allocated} sind reserviert',
  'its place in the tree is not what those above it say': 'Die Stelle im Baum passt nicht zu den Objekten darüber',
  'it was split from an item that was split from it': 'Er wurde von einem Lagerartikel abgeteilt, der von ihm abgeteilt wurde',
  'it is installed in an item that is installed in it': 'Er ist in einen Lagerartikel eingebaut, der in ihn eingebaut ist',
  '{rows} rows, counted {counted}': '{rows} Zeilen, gezählt {counted}',
  'it holds {stored}, counted {counted}': 'Gespeichert {stored}, gezählt {counted}',
  '{name} {key} is not there': '{name} {key} ist nicht vorhanden',
  'total_price is {stored}, but for a currency of its lines no exchange rate to {currency} is known':
    'Die Summe ist {stored}, aber für eine Währung der Positionen ist kein Wechselkurs nach {currency} bekannt',
  '{name} is {stored}, counted {counted}': '{name} ist {stored}, gezählt {counted}',
  'It was broken off.': 'Sie wurde abgebrochen.',
  'The verification failed: {reason}': 'Die Prüfung ist gescheitert: {reason}',
}

/** The German text of what a verification checks or finds; the text itself if it has none. */
export const translateProblem = createTranslator(VERIFICATION_TEXTS, (value) => value)
