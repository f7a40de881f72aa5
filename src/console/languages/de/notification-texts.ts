/** Texts of notifications in German, by the text of the service, with names for the inserted values. */
export const notifications: Readonly<Record<string, string>> = {
  'New Purchase Order': 'Neue Bestellung',
  'New Sales Order': 'Neuer Verkaufsauftrag',
  'New Return Order': 'Neue Rücksendung',
  'New Build Order': 'Neuer Fertigungsauftrag',
  'You are responsible for the new purchase order {name}.': 'Du bist für die neue Bestellung {name} verantwortlich.',
  'You are responsible for the new sales order {name}.': 'Du bist für den neuen Verkaufsauftrag {name} verantwortlich.',
  'You are responsible for the new return order {name}.': 'Du bist für die neue Rücksendung {name} verantwortlich.',
  'You are responsible for the new build order {name}.': 'Du bist für den neuen Fertigungsauftrag {name} verantwortlich.',
  'Purchase Order assigned': 'Bestellung zugewiesen',
  'Sales Order assigned': 'Verkaufsauftrag zugewiesen',
  'Return Order assigned': 'Rücksendung zugewiesen',
  'Build Order assigned': 'Fertigungsauftrag zugewiesen',
  'You are now responsible for the purchase order {name}.': 'Du bist jetzt für die Bestellung {name} verantwortlich.',
  'You are now responsible for the sales order {name}.': 'Du bist jetzt für den Verkaufsauftrag {name} verantwortlich.',
  'You are now responsible for the return order {name}.': 'Du bist jetzt für die Rücksendung {name} verantwortlich.',
  'You are now responsible for the build order {name}.': 'Du bist jetzt für den Fertigungsauftrag {name} verantwortlich.',
  'Purchase Order put on hold': 'Bestellung zurückgestellt',
  'Sales Order put on hold': 'Verkaufsauftrag zurückgestellt',
  'Return Order put on hold': 'Rücksendung zurückgestellt',
  'Build Order put on hold': 'Fertigungsauftrag zurückgestellt',
  'The purchase order {name}, for which you are responsible, was put on hold.':
    'Die Bestellung {name}, für die du verantwortlich bist, wurde zurückgestellt.',
  'The sales order {name}, for which you are responsible, was put on hold.':
    'Der Verkaufsauftrag {name}, für den du verantwortlich bist, wurde zurückgestellt.',
  'The return order {name}, for which you are responsible, was put on hold.':
    'Die Rücksendung {name}, für die du verantwortlich bist, wurde zurückgestellt.',
  'The build order {name}, for which you are responsible, was put on hold.':
    'Der Fertigungsauftrag {name}, für den du verantwortlich bist, wurde zurückgestellt.',
  'Purchase Order canceled': 'Bestellung storniert',
  'Sales Order canceled': 'Verkaufsauftrag storniert',
  'Return Order canceled': 'Rücksendung storniert',
  'Build Order canceled': 'Fertigungsauftrag abgebrochen',
  'The purchase order {name}, for which you are responsible, was canceled.':
    'Die Bestellung {name}, für die du verantwortlich bist, wurde storniert.',
  'The sales order {name}, for which you are responsible, was canceled.':
    'Der Verkaufsauftrag {name}, für den du verantwortlich bist, wurde storniert.',
  'The return order {name}, for which you are responsible, was canceled.':
    'Die Rücksendung {name}, für die du verantwortlich bist, wurde storniert.',
  'The build order {name}, for which you are responsible, was canceled.':
    'Der Fertigungsauftrag {name}, für den du verantwortlich bist, wurde abgebrochen.',
  'Items Received': 'Ware eingegangen',
  'Items of the purchase order {name} were received.': 'Ware der Bestellung {name} ist eingegangen.',
  'Items of the return order {name} were received.': 'Ware der Rücksendung {name} ist eingegangen.',
  'Stock released by a count': 'Bestand durch eine Zählung freigegeben',
  'A count found less than was allocated to {name}. Released: {what}.':
    'Eine Zählung fand weniger, als für {name} reserviert war. Freigegeben: {what}.',
  'Overdue Purchase Order': 'Bestellung überfällig',
  'Overdue Sales Order': 'Verkaufsauftrag überfällig',
  'Overdue Return Order': 'Rücksendung überfällig',
  'Overdue Build Order': 'Fertigungsauftrag überfällig',
  'The purchase order {name} has been overdue since {day}.': 'Die Bestellung {name} ist seit {day} überfällig.',
  'The sales order {name} has been overdue since {day}.': 'Der Verkaufsauftrag {name} ist seit {day} überfällig.',
  'The return order {name} has been overdue since {day}.': 'Die Rücksendung {name} ist seit {day} überfällig.',
  'The build order {name} has been overdue since {day}.': 'Der Fertigungsauftrag {name} ist seit {day} überfällig.',
  'Stock required for build order': 'Bestand für einen Fertigungsauftrag fehlt',
  'Stock is short for the new build order {name}: {parts}.': 'Für den neuen Fertigungsauftrag {name} fehlt Bestand: {parts}.',
  'Build order completed': 'Fertigungsauftrag abgeschlossen',
  'The build order {name} is complete.': 'Der Fertigungsauftrag {name} ist abgeschlossen.',
  'Low stock': 'Niedriger Bestand',
  '{part} is low on stock: {quantity} in stock, minimum {least}.':
    '{part} hat niedrigen Bestand: {quantity} auf Lager, Mindestbestand {least}.',
  'Label printing failed': 'Etikettendruck fehlgeschlagen',
  'Report printing failed': 'Berichtsdruck fehlgeschlagen',
  'Printing failed.': 'Der Druck ist fehlgeschlagen.',
  'It is unknown whether it was printed; it is not printed again.':
    'Es ist unbekannt, ob gedruckt wurde; es wird nicht noch einmal gedruckt.',
  'Stocktake report': 'Inventurbericht',
  'The stocktake report of {parts} parts is ready.': 'Der Inventurbericht über {parts} Teile ist fertig.',
  'The stocktake report of 1 part is ready.': 'Der Inventurbericht über 1 Teil ist fertig.',
}
