// Over 400 lines: a line for each text.
/**
 * What fields mean: the texts of the OpenAPI document that forms show, in German. The first is that of the document, so that one that was
 * changed there is missed here, and found by service-texts.test.ts.
 */
export const help: Readonly<Record<string, string>> = {
  'The name of the account, or its mail address.':
    'Der Name des Kontos, groß oder klein geschrieben. Leer: Die E-Mail-Adresse sagt, wessen Konto es ist.',
  'A mail address in place of the name.':
    'Statt des Benutzernamens eine Adresse: des Kontos, das sie bestätigt hat, sonst des einzigen, das sie hat.',
  'The password. Blanks at its ends do not count.': 'Das Passwort. Leerzeichen an seinen Enden zählen nicht.',
  'What the authenticator shows, or a recovery code, where the account has a second factor.':
    'Was die Authenticator-App zeigt, oder ein Wiederherstellungscode, wenn das Konto einen zweiten Faktor hat.',
  'The password of the account. One without a password needs none, but a session.':
    'Das Passwort des Kontos. Eines ohne Passwort braucht keines, aber eine Anmeldung im Browser.',
  'The six digits that the authenticator shows, at most 30 seconds early or late.':
    'Die sechs Ziffern, die die Authenticator-App zeigt, höchstens 30 Sekunden zu früh oder zu spät.',
  'The address of the account whose password is forgotten.': 'Die Adresse des Kontos, dessen Passwort vergessen ist.',
  'The name to sign in with: 1 to 150 Latin letters, digits and any of @ . + - _. No other account has it, in whatever case or with whatever accents.':
    'Der Name zum Anmelden: 1 bis 150 lateinische Buchstaben, Ziffern und @ . + - _. Kein anderes Konto heißt so, auch nicht in anderer Schreibweise.',
  '8 to 128 characters, not digits alone, none of the passwords that everybody tries first, and not like name or address of the account.':
    '8 bis 128 Zeichen, nicht nur Ziffern, keines der Passwörter, die alle zuerst probieren, und nicht ähnlich wie Name oder Adresse des Kontos.',
  'The same again.': 'Noch einmal dasselbe.',
  'The mail address of the account; it may be empty unless the service asks for one.':
    'Wo das Konto zu erreichen ist; leer für nirgends, wenn keine Adresse verlangt wird.',
  'The code of the start-up log, which makes this account a superuser while there is none; empty for an ordinary account.':
    'Der Code aus dem Startprotokoll: Er gibt diesem Konto alle Rechte, solange es keines damit gibt. Leer für ein gewöhnliches Konto.',
  'Whether variants of the component may be used in its place.':
    'Ob statt des Bauteils auch seine Varianten genommen werden dürfen.',
  'Whether the line is one of all variants below the assembly too.': 'Ob die Zeile auch für alle Varianten der Baugruppe gilt.',
  'A remark on the line; may be empty.': 'Eine Bemerkung zur Zeile; darf leer sein.',
  'Whether the assembly can be built without it: it is not allocated unasked.':
    'Ob die Baugruppe ohne das Bauteil gefertigt werden kann: Es wird nicht ungefragt reserviert.',
  'Whether it is used up without being counted: it is never allocated for build orders.':
    'Ob es ungezählt verbraucht wird: Es wird für Fertigungsaufträge nie reserviert.',
  'What is lost when it is built: a number for each build order, in units of the component, or a share of what is used, as 5 %; empty for nothing.':
    'Was beim Fertigen verloren geht: je Fertigungsauftrag eine Zahl, in der Einheit des Bauteils, oder ein Anteil wie 5 %; leer für nichts.',
  'The assembly, which must be a part that is one.': 'Das Teil, zu dem die Stückliste gehört; es muss eine Baugruppe sein.',
  'How much of the component goes into one unit of the assembly, above zero, in units of the component.':
    'Wie viel des Bauteils in eine Baugruppe kommt, mehr als null, in der Einheit des Bauteils.',
  'Where in the assembly it goes, such as R1, R2; may be empty.': 'Wohin es in der Baugruppe kommt, etwa R1, R2; darf leer sein.',
  'The component, which must be a part that is one.': 'Das Bauteil; es muss als Bauteil gelten.',
  'Whether the line says what it said when it was last checked; it cannot be changed here.':
    'Ob in der Zeile noch steht, was zuletzt geprüft wurde; hier lässt sich das nicht ändern.',
  'What it is about, in a line; may be empty.': 'Worum es geht, in einer Zeile; darf leer sein.',
  'The batch of what is made, unless an output says otherwise; empty for none.':
    'Die Charge dessen, was gefertigt wird, wenn dabei nichts anderes gesagt wird; leer für keine.',
  'The day on which it was finished or cancelled; empty before.':
    'Der Tag, an dem er abgeschlossen oder abgebrochen wurde; vorher leer.',
  'The stock location where what is made goes; empty for none. Of a new one by default where new stock of the part goes.':
    'Der Lagerort, an den das Gefertigte kommt; leer für keinen. Für einen neuen Auftrag der Ort, an den neuer Bestand des Teils kommt.',
  'The build order for which this one makes something; empty for none.':
    'Der Fertigungsauftrag, für den dieser etwas fertigt; leer für keinen.',
  'What is made: an active assembly that is not virtual. It is not changed later.':
    'Was gefertigt wird: eine aktive Baugruppe, die nicht virtuell ist. Das ändert sich später nicht mehr.',
  'The project that it is charged to; empty for none.': 'Das Projekt, auf das er geht; leer für keines.',
  'What the order is called; no two have the same. The next one is suggested.':
    'Wie der Vorgang heißt; keine zwei heißen gleich. Der nächste Name wird vorgeschlagen.',
  'The sales order for which it is made; empty for none.': 'Der Verkaufsauftrag, für den gefertigt wird; leer für keinen.',
  'How much is to be made, in units of the part: at least 1, and whole if the part or a component is trackable.':
    'Wie viel zu fertigen ist, in der Einheit des Teils: mindestens 1, und ganze Stück, wenn das Teil oder ein Bauteil Seriennummern hat.',
  'The day by which it is to be finished; empty for none.': 'Der Tag, bis zu dem er fertig sein soll; leer für keinen.',
  'The stock location from which, and from below which, its components come; empty for anywhere.':
    'Der Lagerort, aus dem seine Bauteile kommen, auch aus den Orten darin; leer für überall her.',
  'Notes in Markdown; their line breaks are kept.': 'Notizen in Markdown; Zeilenumbrüche bleiben.',
  'The address of a page about it outside the service, with http, https, ftp or ftps; empty for none.':
    'Die Adresse einer Seite darüber außerhalb des Dienstes, mit http, https, ftp oder ftps; leer für keine.',
  'The account that asked for it; empty for nobody.':
    'Das Konto, das ihn erteilt hat; leer für niemanden. Es wird nicht von selbst eingetragen.',
  'Who answers for it: an account or a group; empty for nobody, where that is allowed.':
    'Wer dafür verantwortlich ist: ein Konto oder eine Gruppe; leer für niemanden, wo das erlaubt ist.',
  'How urgent it is beside others; the higher the more.': 'Wie eilig er neben anderen ist; je höher, desto eiliger.',
  'Only stock in this location, or below it, is allocated; empty for anywhere.':
    'Nur Bestand an diesem Ort und den Orten darin wird reserviert; leer für überall her.',
  'Stock in this location, or below it, is not allocated; empty for none.':
    'Bestand an diesem Ort und den Orten darin wird nicht reserviert; leer für keinen.',
  'Whether it does not matter which of several items is taken; otherwise such lines are left out.':
    'Ob es gleich ist, welcher von mehreren Posten genommen wird; sonst bleiben solche Zeilen aus.',
  'Whether substitutes are allocated too.': 'Ob auch Ersatzteile reserviert werden.',
  'Whether components without which it can be built are allocated too.':
    'Ob auch Bauteile reserviert werden, ohne die gefertigt werden kann.',
  'Whether what is allocated for it counts as used up; otherwise it is released.':
    'Ob als verbraucht gilt, was dafür reserviert ist; sonst ist es wieder frei.',
  'Whether outputs that are not complete are deleted; otherwise they stay as they are.':
    'Ob gelöscht wird, was noch in Fertigung ist; sonst bleibt es, wie es ist.',
  'The stock location where they go.': 'Der Lagerort, an den es kommt.',
  'Their state from then on.': 'In welchem Zustand es von da an ist.',
  'Whether outputs for which not all tracked components are allocated are completed too.':
    'Ob auch abgeschlossen wird, wofür nicht alle Bauteile mit Seriennummern reserviert sind.',
  'A remark that becomes part of the history.': 'Eine Bemerkung, die in die Geschichte kommt.',
  'How much is begun, above zero, in units of the part.': 'Wie viel begonnen wird, mehr als null, in der Einheit des Teils.',
  'The batch; empty for that of the build order, or else the next code.':
    'Die Charge; leer für die des Fertigungsauftrags, sonst die nächste.',
  'As many serial numbers as the quantity; a trackable part needs them. With commas or blanks between: numbers, and ranges such as 1-5, 7+ (and on), 7+2 (and two more), ~ (the next free one).':
    'So viele Seriennummern, wie die Menge sagt; ein Teil mit Seriennummern braucht sie. Mit Kommas oder Leerzeichen dazwischen: Nummern, Bereiche wie 1-5, 7+ (und weiter), 7+2 (und zwei mehr), ~ (die nächste freie).',
  'Where it is made; empty for the destination of the build order, or without one where new stock of the part goes.':
    'Wo gefertigt wird; leer für den Zielort des Fertigungsauftrags, ohne einen dort, wohin neuer Bestand des Teils kommt.',
  'Whether for each serial number the units of tracked components with the same one are allocated.':
    'Ob für jede Seriennummer die Bauteile mit derselben Nummer reserviert werden.',
  'What becomes of what is allocated for a line beyond what it takes: it is refused, used up too, or free again.':
    'Was aus dem wird, was für eine Zeile über ihren Bedarf hinaus reserviert ist: Dann wird nicht abgeschlossen, oder es ist auch verbraucht, oder es ist wieder frei.',
  'Whether it is finished although less is allocated for a line than it takes.':
    'Ob abgeschlossen wird, obwohl für eine Zeile weniger reserviert ist, als sie braucht.',
  'Whether it is finished although less was made than was ordered.':
    'Ob abgeschlossen wird, obwohl weniger gefertigt als bestellt wurde.',
  'What the company is called. Two may share a name, but not a name and a mail address.':
    'Wie die Firma heißt. Zwei dürfen gleich heißen, aber nicht auch dieselbe E-Mail-Adresse haben.',
  'What it sells, makes or buys; may be empty.': 'Was sie verkauft, herstellt oder kauft; darf leer sein.',
  'The address of its website, with http or https; empty for none.':
    'Die Adresse ihrer Website, mit http oder https; leer für keine.',
  'Its telephone number, as free text; empty for none.': 'Ihre Telefonnummer, als freier Text; leer für keine.',
  'Its mail address; empty for none.': 'Ihre E-Mail-Adresse; leer für keine.',
  'The currency in which it quotes; orders from it that name no currency are summed in it. By default the default currency.':
    'Die Währung, in der sie anbietet; darin werden Bestellungen bei ihr summiert, die keine andere nennen. Üblich ist die Standardwährung.',
  'Whom to ask for, as free text; empty for nobody. People with a number or address of their own are contacts.':
    'Nach wem man fragt, als freier Text; leer für niemanden. Wer eigene Nummer oder Adresse hat, ist ein Ansprechpartner.',
  'Its picture: PNG, JPEG, GIF or WebP.': 'Das Bild: PNG, JPEG, GIF oder WebP; leer nimmt es weg.',
  'Whether we still do business with it. Lists can be narrowed by it; nothing is refused because of it.':
    'Ob wir noch mit ihr zu tun haben. Listen lassen sich danach eingrenzen; abgelehnt wird deswegen nichts.',
  'Whether we sell to it. Only to such a company can stock be given.':
    'Ob wir an sie verkaufen. Nur einer solchen Firma kann Bestand gegeben werden.',
  'Whether it makes parts. Only such a company can be the manufacturer of a part.':
    'Ob sie Teile herstellt. Nur eine solche Firma kann Hersteller eines Teils sein.',
  'Whether we buy from it. Only such a company can be the supplier of a part or of an order.':
    'Ob wir bei ihr kaufen. Nur eine solche Firma kann Lieferant eines Teils oder einer Bestellung sein.',
  'The address of a picture in the public internet, which is fetched and kept as its picture, where the service allows that.':
    'Die Adresse eines Bildes im öffentlichen Internet: Es wird geholt und als Bild behalten, wenn das hier erlaubt ist.',
  'How many packs the supplier says it has.':
    'Wie viele Packungen der Lieferant nach eigenen Worten hat. Wer das einträgt, setzt auch den Tag dazu.',
  'What the supplier calls it; empty for nothing.': 'Wie der Lieferant es nennt; leer für nichts.',
  'Whether it is still to be bought. Lists can be narrowed by it; nothing is refused because of it.':
    'Ob es noch gekauft werden soll. Listen lassen sich danach eingrenzen; abgelehnt wird deswegen nichts.',
  'What is delivered, as its manufacturer knows it; empty where that is not known, or not always the same.':
    'Was geliefert wird, wie sein Hersteller es kennt; leer, wenn das unbekannt oder nicht immer dasselbe ist.',
  'A short remark, such as on delivery; empty for none.': 'Eine kurze Bemerkung, etwa zur Lieferung; leer für keine.',
  'What it comes in, such as reel or bag; empty for nothing.': 'Worin es kommt, etwa Rolle oder Beutel; leer für nichts.',
  'What one pack holds, in the unit of the part or one that converts to it, such as 100 or 5 m. Empty means 1.':
    'Was eine Packung enthält, in der Einheit des Teils oder einer, die sich umrechnen lässt, etwa 100 oder 5 m. Leer heißt 1.',
  'The part that is bought. It must be one that can be.': 'Das Teil, das gekauft wird. Es muss gekauft werden können.',
  "The supplier's number of the part. A part has it once with each supplier.":
    'Die Nummer des Teils beim Lieferanten. Ein Teil hat sie bei jedem Lieferanten einmal.',
  'Who sells it: a company that is a supplier.': 'Wer es verkauft: eine Firma, die Lieferant ist.',
  'The supplier part that has the price.': 'Das Lieferantenteil, das so viel kostet.',
  'The smallest number of packs at this price. Below the smallest of a supplier part its price holds too.':
    'Ab so vielen Packungen gilt dieser Preis. Unter der kleinsten Menge eines Lieferantenteils gilt deren Preis auch.',
  'The price of one pack, zero or more.': 'Der Preis einer Packung, null oder mehr.',
  'The currency of the price, which is converted to that of the line it is for. By default the default currency.':
    'Die Währung des Preises; er wird in die der Position umgerechnet. Üblich ist die Standardwährung.',
  'Whether you have read it.': 'Ob du sie gelesen hast.',
  'The order that the line is of.': 'Die Bestellung oder der Auftrag, zu dem die Position gehört.',
  'What is paid for, or deducted; may be empty.': 'Wofür gezahlt oder was abgezogen wird; darf leer sein.',
  'How many times the price is paid; below zero it is deducted.': 'Wie oft der Preis gezahlt wird; unter null wird er abgezogen.',
  'What the line is called elsewhere, such as the number of a waybill; may be empty.':
    'Wie die Position anderswo heißt, etwa die Nummer eines Frachtbriefs; darf leer sein.',
  'A remark on the line, as plain text; may be empty.': 'Eine Bemerkung zur Position, als einfacher Text; darf leer sein.',
  'For other programs; empty for none.': 'Ein JSON-Wert für andere Programme; leer für keinen.',
  'The price of one, below zero for a discount; empty while it is not known, which adds nothing to the total.':
    'Der Preis für eins, unter null für einen Nachlass; leer, solange er nicht bekannt ist: Dann zählt er nicht zur Summe.',
  'The currency of the price. The total of the order converts it. By default the default currency.':
    'Die Währung des Preises. Für die Summe des Auftrags wird umgerechnet. Üblich ist die Standardwährung.',
  'How many packs are ordered. What one holds is told by the supplier part.':
    'Wie viele Packungen bestellt sind. Was eine enthält, sagt das Lieferantenteil.',
  'What the line is called in the order, such as a place on a board; may be empty.':
    'Wie die Position in der Bestellung heißt, etwa ein Platz auf einer Platine; darf leer sein.',
  'The supplier part that is ordered; empty for none. Only a line with one can be received.':
    'Das Lieferantenteil, das bestellt ist; leer für keines. Nur eine Position mit einem kann eingehen.',
  'The price of one pack; empty while it is not known, which adds nothing to the total. Below zero it is taken off, and stock that is received gets no price.':
    'Der Preis einer Packung; leer, solange er nicht bekannt ist: Dann zählt er nicht zur Summe. Unter null wird er abgezogen, und was eingeht, bekommt keinen Preis.',
  'Whether the price comes from the price breaks of the supplier part, if it has any, in place of the one that is typed.':
    'Ob der Preis aus den Staffelpreisen des Lieferantenteils kommt, wenn es welche hat, gleich was als Preis dasteht. Es wird nicht gespeichert.',
  'Where the goods are to be stored, when receiving does not say; empty for where the part lies by default.':
    'Wohin die Ware kommt, wenn beim Wareneingang nichts gesagt wird; leer für den üblichen Lagerort des Teils.',
  'The day by which the line is expected; empty for that of the order.':
    'Der Tag, bis zu dem die Position erwartet wird; leer für den Termin des Auftrags.',
  'Whether a new line may become part of one that is there: its quantity is added; its own price, reference, notes and link are dropped. It is not stored, and a change passes over it.':
    'Ob eine neue Position zu einer vorhandenen dazugezählt werden darf. Ihre Menge kommt dann dazu; ihr eigener Preis, Referenz, Bemerkung und Link entfallen. Es wird nicht gespeichert, und beim Ändern zählt es nicht.',
  'The day on which it was written, by default today (UTC); empty for none.':
    'Der Tag, an dem sie geschrieben wurde, sonst heute (UTC); leer für keinen.',
  'The day by which the goods are expected, for lines that have none of their own; empty for none.':
    'Der Tag, bis zu dem die Ware erwartet wird, für Positionen ohne eigenen Termin; leer für keinen.',
  'Whom to ask about it: a contact of the supplier; empty for nobody.':
    'Wen man danach fragt: ein Ansprechpartner des Lieferanten; leer für niemanden.',
  'Which of the addresses of the supplier the order is for; empty for none.':
    'An welche Anschrift des Lieferanten sie geht; leer für keine. Ob es eine von seinen ist, wird nicht geprüft.',
  'The currency of the total; empty for that of the supplier, or without a supplier the default currency.':
    'Die Währung der Summe; leer für die des Lieferanten, ohne Lieferanten die Standardwährung.',
  'Who the parts are ordered from: a company that is a supplier; empty while that is not decided.':
    'Bei wem bestellt wird: eine Firma, die Lieferant ist; leer, solange das nicht entschieden ist.',
  'What the supplier calls the order; empty while it is not known.':
    'Wie der Lieferant die Bestellung nennt; leer, solange das nicht bekannt ist.',
  'Another order, whose lines or extra lines are copied to the new one as the next two fields say; empty for none.':
    'Ein anderer Auftrag, dessen Positionen oder Zusatzpositionen in den neuen kopiert werden, wie die nächsten zwei Felder sagen; leer für keinen. Beim Ändern zählt es nicht.',
  'Whether the lines of that other order are copied, with their prices and dates, as lines of which nothing has been received; by default they are not.':
    'Ob die Positionen des anderen Auftrags kopiert werden, mit Preisen und Terminen, als Positionen, von denen noch nichts gekommen ist; sonst nicht.',
  'Whether the extra lines of that other order are copied; by default they are not.':
    'Ob die Zusatzpositionen des anderen Auftrags kopiert werden; sonst nicht.',
  'The day by which it is to be settled, for lines that have none of their own; empty for none.':
    'Der Tag, bis zu dem sie erledigt sein soll, für Positionen ohne eigenen Termin; leer für keinen.',
  'Whom to ask about it: a contact of the customer; empty for nobody.':
    'Wen man danach fragt: ein Ansprechpartner des Kunden; leer für niemanden.',
  'Which of the addresses of the customer the order is for; empty for none.':
    'An welche Anschrift des Kunden er geht; leer für keine. Ob es eine von seinen ist, wird nicht geprüft.',
  'The currency of the total; empty for that of the customer, or without a customer the default currency.':
    'Die Währung der Summe; leer für die des Kunden, ohne Kunden die Standardwährung.',
  'Who sends it back: a company that is a customer.':
    'Wer es zurückschickt: eine Firma, die Kunde ist. Sie muss genannt werden; leer erst, wenn diese Firma gelöscht ist.',
  'What the customer calls it; empty while it is not known.': 'Wie der Kunde es nennt; leer, solange das nicht bekannt ist.',
  'Whether the lines of that other order are copied, with their prices and dates, as lines of which nothing has come back; by default they are not.':
    'Ob die Positionen des anderen Auftrags kopiert werden, mit Preisen und Terminen, als Positionen, von denen noch nichts zurückgekommen ist; sonst nicht.',
  'How much is ordered, in units of the part.': 'Wie viel bestellt ist, in der Einheit des Teils.',
  'What the line is called in the order; may be empty.': 'Wie die Position im Auftrag heißt; darf leer sein.',
  'The part that is ordered, one that can be sold and is not virtual; empty for none. Stock can be allocated only for a line with one.':
    'Das bestellte Teil: eines, das verkauft werden kann und nicht virtuell ist; leer für keines. Nur für eine Position mit einem kann Bestand zurückgelegt werden.',
  'The price of one unit of the part; empty while it is not known, which adds nothing to the total.':
    'Der Preis für eine Einheit des Teils; leer, solange er nicht bekannt ist: Dann zählt er nicht zur Summe.',
  'The day by which the goods are to be there, for lines that have none of their own; empty for none.':
    'Der Tag, bis zu dem die Ware dort sein soll, für Positionen ohne eigenen Termin; leer für keinen.',
  'Who ordered: a company that is a customer.':
    'Wer bestellt hat: eine Firma, die Kunde ist. Sie muss genannt werden; leer erst, wenn diese Firma gelöscht ist.',
  'Whether the lines of that other order are copied, with their prices and dates, as lines of which nothing has been allocated or shipped; by default they are not.':
    'Ob die Positionen des anderen Auftrags kopiert werden, mit Preisen und Terminen, als Positionen, für die noch nichts zurückgelegt oder versandt ist; sonst nicht.',
  'The day on which it leaves, by default today (UTC).': 'Der Tag, an dem sie hinausgeht, sonst heute (UTC).',
  'The day on which it comes to the customer; empty while that is not known.':
    'Der Tag, an dem sie beim Kunden ist; leer, solange das nicht bekannt ist.',
  'The number by which the carrier finds it; where nothing is given, it stays as it is.':
    'Die Nummer, unter der der Paketdienst sie findet; leer bleibt sie, wie sie ist.',
  'The number of the invoice for it; where nothing is given, it stays as it is.':
    'Die Nummer der Rechnung dafür; leer bleibt sie, wie sie ist.',
  'Where to read more about it; where nothing is given, it stays as it is.': 'Wo mehr darüber steht; leer bleibt es, wie es ist.',
  'Whether it is in use. Only a part that is not can be deleted; no stock is converted into one.':
    'Ob es in Gebrauch ist. Nur ein inaktives kann gelöscht werden; kein Bestand wird in ein inaktives gewandelt.',
  'Whether it is made from other parts, by a bill of materials.':
    'Ob es aus anderen Teilen nach einer Stückliste gefertigt wird.',
  'The category into which it is sorted, which must not be structural.':
    'Die Kategorie, in die es gehört; sie darf nicht nur Kategorien enthalten. Leer ist es nur, wenn es seine Kategorie verloren hat.',
  'Whether other parts are made from it.': 'Ob andere Teile daraus gefertigt werden.',
  'The account that made it: of a new part always your own.':
    'Das Konto, das es angelegt hat: bei einem neuen immer deines. Später kann ein anderes dastehen, oder keines.',
  'How many days new stock of it keeps, for which no expiry date is given. 0: without end.':
    'Wie viele Tage neuer Bestand haltbar ist, für den kein Tag genannt wird. 0: unbegrenzt.',
  'Where new stock of it goes when no place is given; empty for no place of its own.':
    'Wohin neuer Bestand kommt, wenn kein Ort genannt wird; leer für keinen eigenen.',
  'The supplier part as which it is usually bought; empty for none.':
    'Als welches Lieferantenteil es gewöhnlich gekauft wird; leer für keines.',
  'What it is, in a line; empty for none.': 'Was es ist, in einer Zeile; leer für nichts.',
  'The internal part number, empty for none. It may have to follow a pattern, and to be new.':
    'Die eigene Teilenummer, leer für keine. Sie muss vielleicht einem Muster folgen und neu sein.',
  'Whether other parts can be variants of it.': 'Ob andere Teile Varianten davon sein können.',
  'Further words by which a search finds it; empty for none.': 'Weitere Wörter, unter denen die Suche es findet; leer für keine.',
  'The day on which all its stock was last counted; empty if never.':
    'Der Tag, an dem zuletzt all sein Bestand gezählt wurde; leer für nie.',
  'With less stock than this, variants included and in units of the part, it counts as low. 0: never.':
    'Mit weniger als dem gilt es als knapp, Varianten mitgezählt, in der Einheit des Teils. 0: nie.',
  'What it is called. No other part has the same name, IPN and revision.':
    'Wie es heißt. Kein anderes Teil hat denselben Namen, dieselbe Teilenummer und dieselbe Revision.',
  'Whether it is bought: only then can it have supplier parts.': 'Ob es gekauft wird: Nur dann kann es Lieferantenteile haben.',
  'Which version of it this is, such as C or 2.1; empty for none.':
    'Welche Fassung davon dies ist, etwa C oder 2.1; leer für keine.',
  'Whether it is sold: only then can its stock be assigned to customers.':
    'Ob es verkauft wird: Nur dann kann sein Bestand zu Kunden gehen.',
  'Whether the caller follows the part itself, not by way of a template or category. A change follows it or stops following; of a new one it is passed over.':
    'Ob du das Teil selbst beobachtest, nicht über eine Vorlage oder Kategorie. Ändern beginnt oder beendet es; bei einem neuen zählt es nicht.',
  'Whether its units are followed one by one: quantities are whole, serial numbers may be given.':
    'Ob jedes Stück für sich verfolgt wird: Mengen sind ganz, Seriennummern möglich.',
  'The unit in which all its quantities are, such as m or kg, or one of your own; empty for pieces.':
    'Die Einheit aller seiner Mengen: eine physikalische oder eine eigene; leer für Stück.',
  'The template of which it is a variant, empty for none. A template and its variants share one range of serial numbers.':
    'Die Vorlage, deren Variante es ist; leer für keine. Eine Vorlage und ihre Varianten haben gemeinsame Seriennummern.',
  'Whether it is nothing that can be stored, such as software: it has no stock.':
    'Ob es sich nicht lagern lässt, wie Software: Es hat keinen Bestand.',
  'Who answers for it: an account or a group; empty for nobody.':
    'Wer dafür verantwortlich ist: ein Konto oder eine Gruppe; leer für niemanden.',
  'Whether a new part gets the parameters that its category gives, and the categories above it, with their values.':
    'Ob ein neues Teil die Parameter bekommt, die seine Kategorie und die darüber vorgeben, mit ihren Werten.',
  'The file name of the picture of any part: it becomes the picture of this one too.':
    'Der Dateiname des Bildes irgendeines Teils: Es wird auch das Bild von diesem.',
  'What it is called; no other category in the same place has the same name.':
    'Wie sie heißt; keine andere Kategorie an derselben Stelle heißt so.',
  'What belongs into it, in a line; empty for none.': 'Was hineingehört, in einer Zeile; leer für nichts.',
  'Where new stock goes of those of its parts that have no place of their own; empty for where the category above says.':
    'Wohin neuer Bestand ihrer Teile kommt, die keinen eigenen Ort haben; leer für den Ort, den die Kategorie darüber nennt.',
  'Keywords that forms suggest for new parts in it; empty for none.':
    'Stichworte, die für neue Teile darin vorgeschlagen werden; leer für keine.',
  'The category in which it is; empty for the top.': 'Die Kategorie, in der sie liegt; leer für ganz oben.',
  'The names from the top down to it, joined by slashes, shortened in the middle beyond 250 characters. It follows from the names and is not stored as sent.':
    'Die Namen von oben bis hierher, mit Schrägstrichen dazwischen, über 250 Zeichen in der Mitte gekürzt. Es folgt aus den Namen.',
  'Whether the caller follows the category itself, not by way of one above it. A change follows it or stops following; of a new one it is passed over.':
    'Ob du die Kategorie selbst beobachtest, nicht über eine darüber. Ändern beginnt oder beendet es; bei einer neuen zählt es nicht.',
  'Whether it holds categories only: parts cannot be put into it, and it cannot become so while parts are in it.':
    'Ob sie nur Kategorien enthält: Teile kommen nicht hinein, und sie wird nicht so, solange Teile darin sind.',
  'The name of the icon that interfaces show for it; empty for none.':
    'Der Name des Symbols, das für sie gezeigt wird; leer für keines.',
  'The part that has the property.': 'Das Teil, das die Eigenschaft hat.',
  'The template that says what the property is.': 'Die Vorlage, die sagt, was die Eigenschaft ist.',
  'The value as it is written: 4k7, 4.7 kohm or 4700 of a parameter in ohm, a choice, or any text; yes or no of a checkbox.':
    'Der Wert, wie man ihn schreibt: 4k7, 4.7 kohm oder 4700 bei einer Vorlage in Ohm, eine der Möglichkeiten, oder ein Text. Bei einem Häkchen true oder false.',
  'The value as a number in the units of the parameter. It follows from the value and cannot be changed here.':
    'Der Wert als Zahl in der Einheit der Vorlage, bei einem Häkchen 1 oder 0; leer, wenn er keine ist. Er folgt aus dem Wert.',
  'The batch that it belongs to; empty for none.': 'Die Charge, zu der er gehört, leer für keine.',
  'The item in which it is installed, and therefore not in stock; empty for none.':
    'Der Posten, in den er eingebaut ist, so dass er nicht auf Lager ist; leer für keinen.',
  'The build order that makes it, or made it: one of the same part; empty for none.':
    'Der Fertigungsauftrag, aus dem er kommt: einer für dasselbe Teil; leer für keinen.',
  'The build order that used it up, so that it is not in stock; empty for none.':
    'Der Fertigungsauftrag, der ihn verbraucht hat, so dass er nicht auf Lager ist; leer für keinen.',
  'The customer who has it, so that it is not in stock; empty for none.':
    'Der Kunde, der ihn hat, so dass er nicht auf Lager ist; leer für keinen.',
  'Whether it is deleted once it is used up; never with a serial number.':
    'Ob er gelöscht wird, wenn er aufgebraucht ist; nie mit Seriennummer.',
  'The last day on which it is good, empty for ever. A new item without one keeps as long as its part says.':
    'Der letzte Tag, an dem er gut ist, leer für immer. Ein neuer ohne Tag hält so lange, wie sein Teil sagt.',
  'Whether it is still being made by its build order, and not in stock yet.':
    'Ob er noch gefertigt wird, von seinem Fertigungsauftrag, und noch nicht auf Lager ist.',
  'Where it is, not a structural location; empty for no place. A new item that does not say goes to the default location of its part or category.':
    'Wo er ist, nicht an einem Ort, der nur Orte enthält; leer für keinen Ort. Ein neuer, für den nichts gesagt wird, kommt an den üblichen Lagerort seines Teils oder seiner Kategorie.',
  'Whose it is: an account or a group; empty for nobody in particular.':
    'Wem er gehört: einem Konto oder einer Gruppe; leer für niemand Bestimmten.',
  'What it is packed in, such as a reel or a tray; empty for nothing.':
    'Worin er verpackt ist, etwa Rolle oder Schale; leer für nichts.',
  'The part that it is some of; not a virtual one.': 'Das Teil, von dem er ist; kein virtuelles.',
  'The purchase order with which it came; empty for none.': 'Die Bestellung, mit der er kam; leer für keine.',
  'How much it is, in units of the part; whole if that is trackable, 1 with a serial number.':
    'Wie viel es ist, in der Einheit des Teils; ganze Stück, wenn es Seriennummern hat, 1 mit einer. Bei einem neuen Posten Packungen, wenn das Häkchen es sagt.',
  'The sales order with which it left, so that it is not in stock; empty for none.':
    'Der Verkaufsauftrag, mit dem er hinausging, so dass er nicht auf Lager ist; leer für keinen.',
  'The serial number of a single unit, empty for none. No other of the part, its template and its variants has it.':
    'Die Seriennummer eines einzelnen Stücks, leer für keine. Es gibt sie nur einmal unter dem Teil, seiner Vorlage und allen Varianten.',
  'Its state. What is lost, destroyed or rejected is not in stock.':
    'Sein Zustand. In Ordnung, zu prüfen, beschädigt oder zurückgekommen kann er auf Lager sein, sonst nicht.',
  'The supplier part as which it was bought, one of the same part; empty for none.':
    'Als welches Lieferantenteil er gekauft wurde, eines desselben Teils; leer für keines.',
  'What one unit of the part was bought for, zero or more; empty if not known.':
    'Wofür eine Einheit des Teils gekauft wurde, null oder mehr; leer, wenn das nicht bekannt ist. Bei einem neuen Posten der Preis einer Packung, wenn das Häkchen es sagt.',
  'The currency of the price.': 'Die Währung des Einkaufspreises. Leer für die Standardwährung des Dienstes.',
  'Whether quantity and price of a new item are those of packs of its supplier part. It must be said where a pack is not 1 unit. Of a change it is passed over.':
    'Ob Menge und Preis eines neuen Postens die von Packungen seines Lieferantenteils sind. Es muss gesagt werden, wenn eine Packung nicht 1 Einheit ist. Beim Ändern zählt es nicht.',
  'As many as the quantity: one item for each. With commas or blanks between: numbers, and ranges such as 1-5, 7+ (and on), 7+2 (and two more), ~ (the next free one).':
    'So viele, wie die Menge sagt: für jede ein Posten. Mit Kommas oder Leerzeichen dazwischen: Nummern, Bereiche wie 1-5, 7+ (und weiter), 7+2 (und zwei mehr), ~ (die nächste freie).',
  'What it is called; no other location in the same place has the same name.':
    'Wie er heißt; kein anderer Ort an derselben Stelle heißt so.',
  'What it is or holds, in a line; empty for none.': 'Was er ist oder enthält, in einer Zeile; leer für nichts.',
  'The location in which it is; empty for the top.': 'Der Ort, in dem er liegt; leer für ganz oben.',
  'Who looks after it: an account or a group; empty for nobody in particular.':
    'Wer sich darum kümmert: ein Konto oder eine Gruppe; leer für niemand Bestimmten.',
  'The name of an icon of its own; empty for that of its type.': 'Der Name eines eigenen Symbols; leer für das seiner Art.',
  'Whether it holds locations only: stock cannot be put into it, and it cannot become so while stock is in it.':
    'Ob er nur Orte enthält: Bestand kommt nicht hinein, und er wird nicht so, solange Bestand darin ist.',
  'Whether it is outside the house: stock in it is told apart on the pages of parts.':
    'Ob er außer Haus ist: Bestand dort wird bei Teilen eigens genannt.',
  'What kind of place it is; empty for none. Without an icon of its own it has that of its type.':
    'Was für ein Ort es ist; leer für keine Art. Ohne eigenes Symbol hat er das seiner Art.',
  'How many units get a number, in units of the part.': 'Wie viele eine Nummer bekommen, in der Einheit des Teils.',
  'As many serial numbers as the quantity. With commas or blanks between: numbers, and ranges such as 1-5, 7+ (and on), 7+2 (and two more), ~ (the next free one).':
    'So viele Seriennummern, wie die Menge sagt. Mit Kommas oder Leerzeichen dazwischen: Nummern, Bereiche wie 1-5, 7+ (und weiter), 7+2 (und zwei mehr), ~ (die nächste freie).',
  'Where the new items are; not a structural one.': 'Wo die neuen Posten sind; kein Ort, der nur Orte enthält.',
  'What it is called. An account has no two of one name for a page.':
    'Wie sie heißt. Ein Konto hat keine zwei gleichen Namens für eine Seite.',
  'The page that it is a view of.':
    'Die Seite, von der sie eine Ansicht ist, als Pfad unter der Adresse des Dienstes, etwa /parts.',
  'What is filtered and how it is ordered.': 'Wonach gefiltert und geordnet wird.',
  'Whether everyone sees it.': 'Ob alle sie sehen.',
  'Where it is afterwards; not a structural one.': 'Wo er danach liegt; kein Ort, der nur Orte enthält.',
  'Whether the items may be of different supplier parts; that of the first one stays.':
    'Ob die Posten verschiedene Lieferantenteile sein dürfen; das des ersten bleibt.',
  'Whether the items may be in different states; that of the first one stays.':
    'Ob die Posten verschiedene Zustände haben dürfen; der des ersten bleibt.',
  'The part that it becomes one of.': 'Das Teil, zu dem er danach gehört.',
  'The item that is installed, which must be in stock.': 'Der Posten, der eingebaut wird; er muss auf Lager sein.',
  'How much of it is installed, in whole units of its part.': 'Wie viel davon eingebaut wird, in ganzen Einheiten seines Teils.',
  'Where it comes to; not a structural one.': 'Wohin er kommt; kein Ort, der nur Orte enthält.',
  'The company that gets them, which must be a customer.': 'Die Firma, die sie bekommt; sie muss Kunde sein.',
  'The stock item that was tested.': 'Der Posten, der geprüft wurde.',
  'Whether it passed.': 'Ob er bestanden hat.',
  'What was measured or read off; empty for nothing.': 'Was gemessen oder abgelesen wurde; leer für nichts.',
  'A file that goes with the result.': 'Eine Datei zum Ergebnis.',
  'What whoever tested it remarked; empty for nothing.': 'Was beim Prüfen auffiel; leer für nichts.',
  'The name of the place or machine that tested it; empty if that does not matter.':
    'Der Prüfplatz oder die Maschine, die geprüft hat; leer, wenn das gleich ist.',
  'When the test began; empty if not known.': 'Wann die Prüfung begann; leer, wenn nicht bekannt.',
  'When the test ended, not before it began; empty if not known.':
    'Wann die Prüfung endete, nicht vor ihrem Beginn; leer, wenn nicht bekannt.',
  'The test; it may be empty where its name is given.': 'Die Prüfung; sie kann fehlen, wenn ihr Name angegeben ist.',
  'The test by its name: letters and digits count, in capitals or not.':
    'Die Prüfung mit ihrem Namen: Buchstaben und Ziffern zählen, groß oder klein.',
  'The part that is made so. It must be one that can be bought.':
    'Das Teil, das so hergestellt wird. Es muss eines sein, das gekauft werden kann.',
  'Who makes it: a company that is a manufacturer.': 'Wer es herstellt: eine Firma, die Hersteller ist.',
  'What the manufacturer says of it; empty for nothing.': 'Was der Hersteller dazu sagt; leer für nichts.',
  "The manufacturer's number of the part. A part has it once with each manufacturer.":
    'Die Nummer des Teils beim Hersteller. Ein Teil hat sie bei jedem Hersteller nur einmal.',
  'The MD5 of the text of the barcode that is linked to it, which no other object has; empty without one.':
    'Die MD5-Summe des Strichcodes, der damit verbunden ist und den sonst nichts hat; leer ohne einen.',
  'The company whose address it is.': 'Die Firma, deren Anschrift es ist.',
  'What it is called among the addresses of the company, such as Head office or Returns.':
    'Wie sie unter den Anschriften der Firma heißt, etwa Zentrale oder Rücksendungen.',
  'Whether it is the one that the company shows as its address. The only address of a company always is.':
    'Ob die Firma sie als ihre Anschrift zeigt. Die einzige Anschrift einer Firma ist es immer.',
  'Street and number, or whatever stands first.': 'Straße und Hausnummer, oder was zuerst kommt.',
  'What follows, such as a building or a floor; may be empty.': 'Was folgt, etwa Gebäude oder Stockwerk; darf leer sein.',
  'The postal code, as the country writes it.': 'Die Postleitzahl, wie man sie im Land schreibt.',
  'The town or city.': 'Der Ort.',
  'The state, province or county; empty where addresses go without.':
    'Das Bundesland oder die Provinz; leer, wo Anschriften ohne auskommen.',
  'The country, by its name.': 'Das Land, mit Namen.',
  'For the carrier, such as when somebody is there to open; may be empty.':
    'Für den Zusteller, etwa wann jemand öffnet; darf leer sein.',
  'For ourselves when something is sent there; the carrier need not know. May be empty.':
    'Für uns, wenn etwas dorthin geht; der Zusteller muss es nicht wissen. Darf leer sein.',
  'The company that the person works for.': 'Die Firma, für die er oder sie arbeitet.',
  'The name of the person.': 'Der Name des Ansprechpartners.',
  'The telephone number of the person, as free text; empty for none.':
    'Die Telefonnummer, so wie man sie schreibt; leer für keine.',
  'The mail address of the person; empty for none.': 'Die E-Mail-Adresse; leer für keine.',
  'What the person does at the company, such as Sales; may be empty.':
    'Was er oder sie in der Firma macht, etwa Verkauf; darf leer sein.',
  'The manufacturer part that has the property.': 'Das Herstellerteil, das so ist.',
  'What is told, such as Tolerance.': 'Was angegeben wird, etwa Toleranz.',
  'The value, as text: nothing is calculated with it.': 'Der Wert als Text: Damit wird nicht gerechnet.',
  'The unit of the value, as text, which need not be a known one; empty for none.':
    'Die Einheit des Wertes als Text; sie muss keine bekannte sein. Leer für keine.',
  'The stock item that comes back, one with a serial number.': 'Der Lagerposten, der zurückkommt; einer mit Seriennummer.',
  'The day on which it came back; empty before. Taking it back sets it, and moves the item as well.':
    'Der Tag, an dem er zurückkam; vorher leer. Das Zurücknehmen setzt ihn und lagert den Posten auch ein.',
  'What becomes of the item; still pending unless something else is chosen.': 'Was daraus wird; zunächst noch offen.',
  'What is charged for it, below zero for what is paid back; empty for nothing, which adds nothing to the total.':
    'Was dafür berechnet wird, unter null, was zurückgezahlt wird; leer für nichts, was nichts zur Summe beiträgt.',
  'How much it takes, with what is lost, in units of the component.':
    'Wie viel sie braucht, mit dem Verlust, in der Einheit des Bauteils.',
  'The line for which it is allocated.': 'Die Zeile, für die es reserviert ist.',
  'The output into which it goes, of a tracked component; empty for another.':
    'Das Erzeugnis, in das es kommt, bei einem Bauteil mit Seriennummern; sonst leer.',
  'The stock item from which it is allocated.': 'Der Posten, von dem reserviert ist.',
  'How much is allocated, above zero, in units of the part; 1 of an item with a serial number.':
    'Wie viel reserviert ist, mehr als null, in der Einheit des Teils; 1 bei einem Posten mit Seriennummer.',
  'Whether what is allocated for them is released; otherwise it is used up.':
    'Ob das dafür Reservierte wieder frei wird; sonst ist es verbraucht.',
  'Why they are scrapped.': 'Warum sie Ausschuss sind.',
  'The category whose new parts get the property.': 'Die Kategorie, deren neue Teile den Parameter bekommen.',
  'The value that new parts get; empty for a property whose value is still to be filled in.':
    'Der Wert, den neue Teile bekommen; leer, wenn er noch einzutragen ist.',
  'What the property is called.': 'Wie der Parameter heißt.',
  'The unit of its values, such as m or ohm, or one of your own. Values may be in any unit that can be converted to it. Empty for none.':
    'Die Einheit der Werte: eine physikalische oder eine eigene. Werte können in jeder Einheit sein, die sich umrechnen lässt. Leer für keine.',
  'What the property says of a part; empty for nothing.': 'Was der Parameter über ein Teil sagt; darf leer sein.',
  'Whether its values are yes and no. It has neither units nor choices then.':
    'Ob die Werte Ja und Nein sind. Dann gibt es weder Einheit noch Auswahl.',
  'The values that may be chosen, each once, separated by commas; empty for any.':
    'Die Werte, die zur Wahl stehen, jeder einmal, durch Kommas getrennt; leer für beliebige.',
  'The part whose bill of materials is copied.': 'Das Teil, dessen Stückliste kopiert wird.',
  'Whether the lines that the part has itself are deleted first. Those that it inherits stay.':
    'Ob die eigenen Zeilen des Teils vorher gelöscht werden. Geerbte bleiben.',
  'Whether lines that the other part inherits of its templates are copied too.':
    'Ob auch Zeilen kopiert werden, die das andere Teil von seinen Vorlagen erbt.',
  'Whether lines by which the part would contain itself, or takes a fraction of a trackable component, are left out, in place of refusing the whole.':
    'Ob Zeilen ausgelassen werden, durch die das Teil sich selbst enthielte oder einen Bruchteil eines Bauteils mit Seriennummern bräuchte, statt alles abzulehnen.',
  'Whether the copies get the parts that may be used in place of the components too.':
    'Ob auch die Ersatzteile der Bauteile kopiert werden.',
  'The least that it costs, set by hand, zero or more: it replaces what is worked out; empty for none.':
    'Was es mindestens kostet, von Hand festgelegt, null oder mehr: Das gilt statt des Berechneten; leer für nichts.',
  'The currency of the least price.': 'Die Währung des Mindestpreises.',
  'The most that it costs, set by hand, zero or more: it replaces what is worked out; empty for none.':
    'Was es höchstens kostet, von Hand festgelegt, null oder mehr: Das gilt statt des Berechneten; leer für nichts.',
  'The currency of the highest price.': 'Die Währung des Höchstpreises.',
  'Nothing depends on it: every change has the figures worked out anew.':
    'Davon hängt nichts ab: Nach jeder Änderung wird neu berechnet.',
  'The part whose stock is tested, which must be trackable; the test is for its variants too.':
    'Das Teil, dessen Bestand geprüft wird; es muss Seriennummern haben. Die Prüfung gilt auch für seine Varianten.',
  'What the test is called.': 'Wie die Prüfung heißt.',
  'What is done, in a line.': 'Was getan wird, in einer Zeile; sie darf nicht fehlen.',
  'Whether the test is in use.': 'Ob die Prüfung in Gebrauch ist.',
  'Whether stock has to pass it.': 'Ob der Bestand sie bestehen muss.',
  'Whether a result has to come with a value.': 'Ob zu einem Ergebnis ein Wert gehört.',
  'Whether a result has to come with a file.': 'Ob zu einem Ergebnis eine Datei gehört.',
  'The part that has the price.': 'Das Teil, für das der Preis gilt.',
  'The smallest quantity at this price, in units of the part. Below the smallest of a part its price holds too.':
    'Die kleinste Menge zu diesem Preis, in der Einheit des Teils. Der Preis der kleinsten gilt auch für weniger.',
  'The price of one unit of the part, zero or more.': 'Der Preis für eines, null oder mehr.',
  'The currency of the price. By default the default currency.': 'Die Währung des Preises. Ohne Angabe die übliche.',
  'The part that has the price, which must be salable.': 'Das Teil, für das der Preis gilt; es muss verkäuflich sein.',
  'One of the two parts.': 'Eines der beiden Teile.',
  'The other part.': 'Das andere Teil.',
  'The part of which there was so much.': 'Das Teil, von dem so viel da war.',
  'How many stock items of it there were.': 'Wie viele Posten davon da waren.',
  'How much of it was in stock, in units of the part.': 'Wie viel davon auf Lager war, in der Einheit des Teils.',
  'The least that all of it cost; empty if not known.': 'Was alles zusammen mindestens gekostet hat; leer, wenn unbekannt.',
  'The currency of the least cost.': 'Die Währung der niedrigsten Kosten. Ohne Angabe die übliche.',
  'The most that all of it cost; empty if not known.': 'Was alles zusammen höchstens gekostet hat; leer, wenn unbekannt.',
  'The currency of the highest cost.': 'Die Währung der höchsten Kosten. Ohne Angabe die übliche.',
  'What whoever counted remarked; empty for nothing.': 'Was beim Zählen bemerkt wurde; darf leer sein.',
  'The line.': 'Die Zeile.',
  'The part that may be used in place of the component of the line: another one, which must be a component.':
    'Das Teil, das statt des Bauteils der Zeile genommen werden darf: ein anderes, das ein Bauteil sein muss.',
  'Words to find it by, at most 100 of up to 100 characters each; those that are given replace the ones before.':
    'Worte, unter denen es gefunden wird, höchstens 100 zu je 100 Zeichen; die angegebenen ersetzen die bisherigen.',
}
