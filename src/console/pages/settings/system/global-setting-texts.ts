/**
 * German names and descriptions of the global settings, by key. The English ones come from the service, whose definitions are their home.
 * A test finds keys that are missing here. It is longer than other files because each setting has its lines.
 */
export const globalSettingTexts: Readonly<Record<string, { name: string; description: string }>> = {
  SERVER_RESTART_REQUIRED: {
    name: 'Neustart nötig',
    description:
      'Eine geänderte Einstellung wirkt erst nach einem Neustart. In Stockroom wirken alle sofort, darum ist dies nie gesetzt.',
  },
  INVENTREE_INSTANCE_ID: {
    name: 'Kennung der Installation',
    description: 'Die Kennung dieser Installation (eine UUID), für jede Datenbank erzeugt; leer für keine.',
  },
  INVENTREE_ANNOUNCE_ID: {
    name: 'Kennung zeigen',
    description: 'Alle, die den Dienst erreichen, können die Kennung der Installation ohne Anmeldung lesen.',
  },
  INVENTREE_SHOW_SUPERUSER_BANNER: {
    name: 'Hinweis für Superuser',
    description: 'Die Weboberfläche von InvenTree warnt, wer als Superuser angemeldet ist.',
  },
  INVENTREE_SHOW_ADMIN_BANNER: {
    name: 'Hinweis für Mitarbeitende',
    description: 'Die Weboberfläche von InvenTree warnt, wer als Mitarbeiter angemeldet ist.',
  },
  INVENTREE_INSTANCE: {
    name: 'Name der Installation',
    description:
      'Der Name dieser Installation: oben auf jeder Seite, in E-Mails und in Authenticator-Apps. Leer für den Namen in der Konfiguration (`INSTANCE_NAME`).',
  },
  INVENTREE_INSTANCE_TITLE: {
    name: 'Name in der Titelzeile',
    description: 'Programme zeigen den Namen der Installation in der Titelzeile.',
  },
  INVENTREE_RESTRICT_ABOUT: {
    name: 'Versionsangaben beschränken',
    description: 'Programme zeigen Angaben zur Version nur Superusern.',
  },
  INVENTREE_COMPANY_NAME: {
    name: 'Name der Firma',
    description: 'Der Name der Firma, für Programme und Dokumente.',
  },
  INVENTREE_BASE_URL: {
    name: 'Basisadresse',
    description:
      'Die öffentliche Adresse des Dienstes, für Programme; leer für keine. Links in E-Mails beginnen mit `SITE_URL` der Konfiguration.',
  },
  INVENTREE_DEFAULT_CURRENCY: {
    name: 'Standardwährung',
    description: 'Die Währung, in der Preise verglichen und summiert werden, und die Vorgabe für Beträge.',
  },
  CURRENCY_CODES: {
    name: 'Unterstützte Währungen',
    description:
      'Kürzel von Währungen, durch Kommas getrennt. Stockroom kennt eine feste Liste von Währungen. Die Einstellung wird nur gespeichert.',
  },
  CURRENCY_UPDATE_INTERVAL: {
    name: 'Abstand der Kursabfragen',
    description: 'Tage zwischen zwei Abfragen der Wechselkurse; 0 für nie. Ein von Hand gesetzter Kurs beginnt den Abstand neu.',
  },
  CURRENCY_UPDATE_PLUGIN: {
    name: 'Plugin für Wechselkurse',
    description: 'Das Plugin, das Wechselkurse holt; leer für keines. Nur aktive Plugins stehen zur Wahl.',
  },
  INVENTREE_DOWNLOAD_FROM_URL: {
    name: 'Bilder von Adressen laden',
    description:
      'Bilder lassen sich über ihre Webadresse hinzufügen, von der der Dienst sie lädt: aus dem öffentlichen Internet und von Hosts, die die Konfiguration erlaubt (`FETCH_ALLOWED_HOSTS`).',
  },
  INVENTREE_DOWNLOAD_IMAGE_MAX_SIZE: {
    name: 'Größte geladene Datei',
    description: 'Die größte Datei eines geladenen Bildes in MB; MAX_FILE_BYTES ist die Obergrenze.',
  },
  INVENTREE_UPLOAD_MAX_SIZE: {
    name: 'Größte hochgeladene Datei',
    description: 'Die größte Datei eines Anhangs in MB; MAX_FILE_BYTES ist die Obergrenze.',
  },
  INVENTREE_DOWNLOAD_FROM_URL_USER_AGENT: {
    name: 'User-Agent beim Laden',
    description: 'Der `User-Agent` beim Laden von Bildern; leer für den üblichen.',
  },
  INVENTREE_STRICT_URLS: {
    name: 'Adressen streng prüfen',
    description: 'Ein Link braucht ein Schema wie `https://`. Aus: Ein Link ohne Schema wird angenommen.',
  },
  INVENTREE_REQUIRE_CONFIRM: {
    name: 'Bestätigung verlangen',
    description: 'Programme fragen vor bestimmten Aktionen nach.',
  },
  INVENTREE_TREE_DEPTH: {
    name: 'Tiefe der Bäume',
    description: 'So viele Ebenen klappen Programme zuerst auf; 0 für keine.',
  },
  INVENTREE_UPDATE_CHECK_INTERVAL: {
    name: 'Abstand der Versionsprüfung',
    description:
      'Tage zwischen zwei Prüfungen auf eine neue Version. Stockroom prüft nicht. Die Einstellung wird nur gespeichert.',
  },
  INVENTREE_BACKUP_ENABLE: {
    name: 'Automatische Sicherung',
    description: 'Daten und Dateien werden automatisch gesichert, nach `BACKUP_DIR` auf dem Rechner des Dienstes.',
  },
  INVENTREE_BACKUP_DAYS: {
    name: 'Abstand der Sicherungen',
    description: 'Tage zwischen zwei Sicherungen.',
  },
  INVENTREE_BACKUP_HOUR: {
    name: 'Stunde der Sicherung',
    description:
      'Stunde des Tages, zu der gesichert wird, von 0 bis 23 in der Zeitzone des Dienstes (`TZ`), etwa 2 für die Nacht; leer: sobald der Abstand vergangen ist.',
  },
  INVENTREE_DELETE_TASKS_DAYS: {
    name: 'Aufgaben löschen nach',
    description:
      'Tage, bis der Eintrag einer fehlgeschlagenen Hintergrundaufgabe gelöscht wird; erledigte werden nach einem Tag gelöscht.',
  },
  INVENTREE_DELETE_ERRORS_DAYS: {
    name: 'Fehlerberichte löschen nach',
    description: 'Tage, bis ein Fehlerbericht gelöscht wird.',
  },
  INVENTREE_DELETE_NOTIFICATIONS_DAYS: {
    name: 'Mitteilungen löschen nach',
    description: 'Tage, bis eine Mitteilung gelöscht wird.',
  },
  INVENTREE_DELETE_EMAIL_DAYS: {
    name: 'Aufbewahrung von E-Mails',
    description: 'Tage, nach denen eine E-Mail aus der Liste der E-Mails gelöscht wird.',
  },
  INVENTREE_PROTECT_EMAIL_LOG: {
    name: 'Liste der E-Mails schützen',
    description: 'Keine E-Mail wird aus der Liste der E-Mails gelöscht, wie alt sie auch ist.',
  },
  BARCODE_ENABLE: {
    name: 'Barcodes',
    description: 'Programme bieten das Scannen von Barcodes an.',
  },
  BARCODE_INPUT_DELAY: {
    name: 'Wartezeit beim Scannen',
    description: 'Millisekunden, die Programme auf weitere Zeichen eines Scanners warten.',
  },
  BARCODE_WEBCAM_SUPPORT: {
    name: 'Scannen mit der Kamera',
    description: 'Programme bieten das Scannen mit einer Kamera an.',
  },
  BARCODE_SHOW_TEXT: {
    name: 'Text von Barcodes zeigen',
    description: 'Die Weboberfläche von InvenTree zeigt den Text eines Barcodes unter seinem Bild.',
  },
  BARCODE_GENERATION_PLUGIN: {
    name: 'Plugin für Barcodes',
    description: 'In Stockroom erzeugt der Dienst die Barcodes von Objekten, kein Plugin. Die Einstellung wird nur gespeichert.',
  },
  BARCODE_STORE_RESULTS: {
    name: 'Scans aufzeichnen',
    description:
      'Scans werden im Verlauf der Scans gespeichert. Aus: Sie werden es nicht und lassen sich dort nicht rückgängig machen.',
  },
  BARCODE_RESULTS_MAX_NUM: {
    name: 'Höchstzahl der Scans',
    description:
      'Die Zahl der Scans im Verlauf. Stockroom begrenzt stattdessen ihr Alter (`BARCODE_RESULTS_DAYS`). Die Einstellung wird nur gespeichert.',
  },
  BARCODE_RESULTS_DAYS: {
    name: 'Scans löschen nach',
    description: 'Tage, bis ein Scan aus dem Verlauf gelöscht wird; bis dahin kann er rückgängig gemacht werden.',
  },
  MACHINE_PING_ENABLED: {
    name: 'Geräte prüfen',
    description: 'Der Zustand von Geräten wie Druckern wird jede Minute geprüft.',
  },
  WEEK_STARTS_ON: {
    name: 'Erster Tag der Woche',
    description: 'Der erste Tag der Woche in Kalendern von Programmen. Die Konsole hat keine eigenen Kalender.',
  },
  CALENDAR_HORIZON_MONTHS: {
    name: 'Zeitraum der Kalender',
    description:
      'Die Monate, die Kalender umfassen. Kalender von Stockroom enthalten alle offenen Aufträge. Die Einstellung wird nur gespeichert.',
  },
  PART_ENABLE_REVISION: {
    name: 'Revisionen von Teilen',
    description: 'Programme zeigen und ändern die Revision eines Teils.',
  },
  PART_REVISION_ASSEMBLY_ONLY: {
    name: 'Revisionen nur von Baugruppen',
    description: 'Nur Baugruppen können Revisionen haben.',
  },
  PART_ENABLE_LOCKING: {
    name: 'Teile sperren',
    description:
      'Gesperrte Teile lassen sich nicht löschen, ihre Stückliste und ihre Parameter nicht ändern. Aus: Sie gelten wie andere Teile.',
  },
  PART_ALLOW_DELETE_FROM_ASSEMBLY: {
    name: 'Löschen aus Baugruppen',
    description: 'Teile in der Stückliste einer Baugruppe lassen sich löschen, und diese Zeilen mit ihnen.',
  },
  PART_IPN_REGEX: {
    name: 'Muster der internen Teilenummer',
    description:
      'Der reguläre Ausdruck, dem eine neue interne Teilenummer (IPN) entsprechen muss; leer für jede. Vorhandene Nummern bleiben.',
  },
  PART_ALLOW_DUPLICATE_IPN: {
    name: 'Doppelte Teilenummern erlauben',
    description:
      'Mehrere Teile dürfen dieselbe interne Teilenummer (IPN) haben. Aus: Eine Nummer, die ein anderes Teil hat, wird abgelehnt; Groß- und Kleinschreibung zählt nicht.',
  },
  PART_ALLOW_EDIT_IPN: {
    name: 'Teilenummern änderbar',
    description: 'Programme erlauben, die interne Teilenummer (IPN) eines vorhandenen Teils zu ändern.',
  },
  PART_COPY_BOM: {
    name: 'Stückliste mitkopieren',
    description: 'Programme kopieren die Stückliste mit, wenn ein Teil kopiert wird.',
  },
  PART_COPY_PARAMETERS: {
    name: 'Parameter mitkopieren',
    description: 'Programme kopieren die Parameter mit, wenn ein Teil kopiert wird.',
  },
  PART_COPY_TESTS: {
    name: 'Testvorlagen mitkopieren',
    description: 'Programme kopieren die Testvorlagen mit, wenn ein Teil kopiert wird.',
  },
  PART_CATEGORY_PARAMETERS: {
    name: 'Parameter der Kategorie übernehmen',
    description: 'Programme übernehmen die Parametervorlagen der Kategorie in ein neues Teil.',
  },
  PART_BOM_ALLOW_ZERO_QUANTITY: {
    name: 'Menge 0 in Stücklisten',
    description:
      'Eine Zeile der Stückliste kann die Menge 0 haben, für ein Bauteil, das aufgeführt ist, aber nicht gebraucht wird.',
  },
  PART_TEMPLATE: {
    name: 'Vorlage',
    description: 'Ein neues Teil ist zunächst eine Vorlage für Varianten.',
  },
  PART_ASSEMBLY: {
    name: 'Baugruppe',
    description: 'Ein neues Teil ist zunächst eine Baugruppe.',
  },
  PART_COMPONENT: {
    name: 'Komponente',
    description: 'Ein neues Teil kann zunächst Komponente anderer Teile sein.',
  },
  PART_PURCHASEABLE: {
    name: 'Kaufbar',
    description: 'Ein neues Teil kann zunächst bei Lieferanten gekauft werden.',
  },
  PART_SALABLE: {
    name: 'Verkäuflich',
    description: 'Ein neues Teil kann zunächst an Kunden verkauft werden.',
  },
  PART_TRACKABLE: {
    name: 'Mit Seriennummern',
    description: 'Ein neues Teil wird zunächst mit Seriennummern verfolgt.',
  },
  PART_VIRTUAL: {
    name: 'Virtuell',
    description: 'Ein neues Teil ist zunächst virtuell, wie eine Lizenz.',
  },
  PART_SHOW_IMPORT: {
    name: 'Import anbieten',
    description: 'Programme bieten den Import von Teilen an.',
  },
  PART_SHOW_RELATED: {
    name: 'Verwandte Teile zeigen',
    description: 'Programme zeigen die verwandten Teile eines Teils.',
  },
  PART_CREATE_INITIAL: {
    name: 'Nach erstem Bestand fragen',
    description: 'Programme fragen nach dem ersten Bestand eines neuen Teils.',
  },
  PART_CREATE_SUPPLIER: {
    name: 'Nach Lieferant fragen',
    description: 'Programme fragen nach dem Lieferanten eines neuen Teils.',
  },
  PART_NAME_FORMAT: {
    name: 'Muster des vollen Namens',
    description:
      'Das Muster für den vollen Namen eines Teils: Text, und Felder in doppelten Klammern, wie `{{ part.name }}`. Leer für das übliche. Eine Änderung benennt alle Teile um.',
  },
  PART_CATEGORY_DEFAULT_ICON: {
    name: 'Symbol für Kategorien',
    description: 'Das Symbol für Kategorien ohne eigenes; leer für keines.',
  },
  PART_PARAMETER_ENFORCE_UNITS: {
    name: 'Einheiten von Parametern prüfen',
    description: 'Der Wert eines Parameters braucht eine Einheit, die sich in die seiner Vorlage umrechnen lässt.',
  },
  PRICING_DECIMAL_PLACES_MIN: {
    name: 'Wenigste Nachkommastellen',
    description: 'So viele Nachkommastellen haben Preise in Programmen mindestens.',
  },
  PRICING_DECIMAL_PLACES: {
    name: 'Meiste Nachkommastellen',
    description: 'So viele Nachkommastellen haben Preise in Programmen höchstens.',
  },
  PRICING_USE_SUPPLIER_PRICING: {
    name: 'Preise der Lieferanten',
    description: 'Staffelpreise der Lieferanten gehen in den Preis eines Teils ein.',
  },
  PRICING_PURCHASE_HISTORY_OVERRIDES_SUPPLIER: {
    name: 'Frühere Einkäufe gehen vor',
    description: 'Preise früherer Bestellungen ersetzen die Staffelpreise der Lieferanten.',
  },
  PRICING_USE_STOCK_PRICING: {
    name: 'Preise des Bestands',
    description: 'Einkaufspreise des Bestands gehen in den Preis eines Teils ein.',
  },
  PRICING_STOCK_ITEM_AGE_DAYS: {
    name: 'Höchstes Alter von Bestandspreisen',
    description: 'Alter in Tagen, ab dem der Einkaufspreis eines Bestands nicht mehr zählt; 0 für unbegrenzt.',
  },
  PRICING_USE_VARIANT_PRICING: {
    name: 'Preise der Varianten',
    description: 'Preise der Varianten gehen in den Preis ihrer Vorlage ein.',
  },
  PRICING_ACTIVE_VARIANTS: {
    name: 'Nur aktive Varianten',
    description: 'Nur aktive Varianten gehen in den Preis ihrer Vorlage ein.',
  },
  PRICING_AUTO_UPDATE: {
    name: 'Preise selbst berechnen',
    description: 'Preise werden von selbst neu berechnet. Aus: Änderungen werden gesammelt und wirken, sobald es an ist.',
  },
  PRICING_UPDATE_DAYS: {
    name: 'Preise neu berechnen nach',
    description: 'Alter in Tagen, nach dem der Preis eines Teils neu berechnet wird.',
  },
  PART_INTERNAL_PRICE: {
    name: 'Interne Preise',
    description: 'Teile haben interne Staffelpreise.',
  },
  PART_BOM_USE_INTERNAL_PRICE: {
    name: 'Interne Preise gehen vor',
    description: 'Interne Preise ersetzen alle anderen Preise eines Teils.',
  },
  LABEL_ENABLE: {
    name: 'Etiketten drucken',
    description: 'Programme bieten den Druck von Etiketten an.',
  },
  LABEL_DPI: {
    name: 'Auflösung von Etiketten',
    description: 'Die Auflösung von Bildern der Etiketten in Punkten je Zoll.',
  },
  REPORT_ENABLE: {
    name: 'Berichte drucken',
    description: 'Programme bieten den Druck von Berichten an.',
  },
  REPORT_DEBUG_MODE: {
    name: 'Berichte als HTML',
    description: 'Berichte kommen als HTML, zum Entwickeln von Vorlagen.',
  },
  REPORT_FETCH_URLS: {
    name: 'Adressen in Berichten laden',
    description:
      'Vorlagen laden Dateien von Adressen. In Stockroom sind nur Hosts in `FETCH_ALLOWED_HOSTS` erreichbar. Die Einstellung wird nur gespeichert.',
  },
  REPORT_LOG_ERRORS: {
    name: 'Fehler von Berichten protokollieren',
    description: 'Fehlgeschlagene Berichte werden mit dem Grund protokolliert.',
  },
  REPORT_DEFAULT_PAGE_SIZE: {
    name: 'Seitengröße',
    description: 'Die Seitengröße neuer Berichtsvorlagen.',
  },
  REPORT_ENABLE_TEST_REPORT: {
    name: 'Testberichte',
    description: 'Programme bieten Testberichte von Beständen an.',
  },
  REPORT_ATTACH_TEST_REPORT: {
    name: 'Testberichte anhängen',
    description: 'Ein gedruckter Testbericht wird an seinen Bestand angehängt, wenn die Person Anhänge hinzufügen darf.',
  },
  DOCUMENT_ADDRESS: {
    name: 'Anschrift der Firma',
    description: 'Die Anschrift der Firma auf Dokumenten, unter ihrem Namen: je Zeile der Anschrift eine Zeile.',
  },
  DOCUMENT_CONTACT: {
    name: 'Kontakt der Firma',
    description: 'Telefon, E-Mail und Website der Firma auf Dokumenten: je Zeile eines.',
  },
  DOCUMENT_TAX_ID: {
    name: 'Steuernummer der Firma',
    description: 'Die Steuernummer der Firma auf Dokumenten, etwa ihre USt-IdNr.; leer für keine.',
  },
  DOCUMENT_FOOTER: {
    name: 'Fußzeile der Dokumente',
    description: 'Der Text am Fuß jeder Seite von Dokumenten, etwa Bankverbindung und Handelsregister: je Zeile eines.',
  },
  DOCUMENT_LANGUAGE: {
    name: 'Sprache der Dokumente',
    description: 'Die Sprache der mitgelieferten Dokumente, mit ihren Formen von Datum, Zahlen und Beträgen.',
  },
  SERIAL_NUMBER_GLOBALLY_UNIQUE: {
    name: 'Seriennummern überall eindeutig',
    description:
      'Eine Seriennummer ist über alle Teile eindeutig. Aus: innerhalb eines Teils, seiner Vorlage und aller Varianten.',
  },
  SERIAL_NUMBER_AUTOFILL: {
    name: 'Seriennummern vorschlagen',
    description: 'Programme tragen die nächste Seriennummer ein.',
  },
  STOCK_ALLOW_EDIT_SERIAL: {
    name: 'Seriennummern ändern',
    description: 'Die Seriennummer eines vorhandenen Postens lässt sich ändern.',
  },
  STOCK_ALLOW_DELETE_SERIALIZED: {
    name: 'Posten mit Seriennummer löschen',
    description: 'Posten mit Seriennummer lassen sich löschen.',
  },
  STOCK_DELETE_DEPLETED_DEFAULT: {
    name: 'Aufgebrauchten Bestand löschen',
    description: 'Neuer Bestand ohne Seriennummer wird zunächst gelöscht, wenn seine Menge null wird.',
  },
  STOCK_BATCH_CODE_TEMPLATE: {
    name: 'Vorlage für Chargen',
    description: 'Die Vorlage für die Charge von neuem Bestand, wie `{{ year }}-{{ week }}` in UTC. Leer für keine.',
  },
  STOCK_ENABLE_EXPIRY: {
    name: 'Ablaufdaten',
    description:
      'Bestand kann ablaufen: Ablaufdaten werden gezeigt, und Listen lassen sich danach filtern. Aus: Sie werden nicht beachtet.',
  },
  STOCK_ALLOW_EXPIRED_SALE: {
    name: 'Abgelaufenen Bestand verkaufen',
    description: 'Abgelaufener Bestand kann verkauft werden. Aus: Er wird für Verkaufsaufträge nicht angeboten.',
  },
  STOCK_STALE_DAYS: {
    name: 'Frist vor dem Ablauf',
    description: 'So viele Tage vor seinem Ablaufdatum gilt Bestand als bald abgelaufen; 0 für erst danach.',
  },
  STOCK_ALLOW_EXPIRED_BUILD: {
    name: 'Abgelaufenen Bestand verbauen',
    description: 'Abgelaufener Bestand kann verbaut werden. Aus: Er wird nicht automatisch reserviert.',
  },
  STOCK_OWNERSHIP_CONTROL: {
    name: 'Besitz von Bestand',
    description:
      'Programme erlauben nur dem Besitzer, Bestand und Lagerorte mit Besitzer zu ändern. Rechte der API ändern sich nicht.',
  },
  STOCK_LOCATION_DEFAULT_ICON: {
    name: 'Symbol für Lagerorte',
    description: 'Das Symbol für Lagerorte ohne eigenes und ohne Art; leer für keines.',
  },
  STOCK_SHOW_INSTALLED_ITEMS: {
    name: 'Eingebauten Bestand zeigen',
    description: 'Programme zeigen Bestand, der in anderem Bestand eingebaut ist.',
  },
  STOCK_ENFORCE_BOM_INSTALLATION: {
    name: 'Stückliste beim Einbau prüfen',
    description: 'In einen Bestand können nur Teile seiner Stückliste eingebaut werden.',
  },
  STOCK_ALLOW_OUT_OF_STOCK_TRANSFER: {
    name: 'Nicht vorrätiges umlagern',
    description: 'Bestand, der nicht im Lager ist, wie der eines Kunden, kann umgelagert werden.',
  },
  STOCK_MERGE_ON_TRANSFER: {
    name: 'Beim Umlagern zusammenführen',
    description:
      'Umgelagerter Bestand wird mit dem am Ziel zusammengeführt. Stockroom führt Bestand nur auf Wunsch zusammen. Die Einstellung wird nur gespeichert.',
  },
  STOCK_TRACKING_DELETE_OLD_ENTRIES: {
    name: 'Alten Verlauf löschen',
    description:
      'Alter Verlauf des Bestands wird gelöscht. Stockroom behält ihn, weil Mengen daran geprüft werden. Die Einstellung wird nur gespeichert.',
  },
  STOCK_TRACKING_DELETE_DAYS: {
    name: 'Aufbewahrung des Verlaufs',
    description:
      'Tage, nach denen Verlauf des Bestands gelöscht wird. Stockroom behält ihn, weil Mengen daran geprüft werden. Die Einstellung wird nur gespeichert.',
  },
  STOCKTAKE_ENABLE: {
    name: 'Inventuren',
    description: 'Inventuren vieler Teile sind möglich, auf Wunsch und nach Plan.',
  },
  STOCKTAKE_EXCLUDE_EXTERNAL: {
    name: 'Externe Lagerorte auslassen',
    description: 'Inventuren lassen Bestand an externen Lagerorten zunächst aus.',
  },
  STOCKTAKE_AUTO_DAYS: {
    name: 'Abstand der Inventuren',
    description: 'Tage zwischen zwei automatischen Inventuren; 0 für nie.',
  },
  STOCKTAKE_DELETE_REPORT_DAYS: {
    name: 'Inventurberichte löschen nach',
    description: 'Tage, bis ein Inventurbericht gelöscht wird.',
  },
  STOCKTAKE_DELETE_OLD_ENTRIES: {
    name: 'Alte Inventuren löschen',
    description: 'Inventuren von Teilen werden nach den Tagen der Aufbewahrung gelöscht.',
  },
  STOCKTAKE_DELETE_DAYS: {
    name: 'Aufbewahrung von Inventuren',
    description: 'Tage, nach denen die Inventur eines Teils gelöscht wird, solange alte Inventuren gelöscht werden.',
  },
  TEST_STATION_DATA: {
    name: 'Angaben der Prüfstation',
    description: 'Programme fragen nach Station, Beginn und Ende eines Tests. Die API nimmt diese Felder immer an.',
  },
  BUILDORDER_REFERENCE_PATTERN: {
    name: 'Muster für Fertigungsaufträge',
    description:
      'Das Muster der Referenzen von Fertigungsaufträgen: `{ref:04d}` ist die Nummer, `{date:%Y}` das Datum in UTC, `?` ein beliebiges Zeichen, `#` eine Ziffer.',
  },
  BUILDORDER_REQUIRE_RESPONSIBLE: {
    name: 'Fertigung: Verantwortliche verlangen',
    description: 'Ein Fertigungsauftrag braucht eine verantwortliche Person oder Gruppe.',
  },
  BUILDORDER_REQUIRE_ACTIVE_PART: {
    name: 'Fertigung: aktives Teil verlangen',
    description:
      'In Stockroom lässt sich ein Fertigungsauftrag immer nur für ein aktives Teil anlegen. Die Einstellung wird nur gespeichert.',
  },
  BUILDORDER_REQUIRE_LOCKED_PART: {
    name: 'Fertigung: gesperrtes Teil verlangen',
    description: 'Ein Fertigungsauftrag lässt sich nur für ein gesperrtes Teil anlegen, dessen Stückliste niemand ändert.',
  },
  BUILDORDER_REQUIRE_VALID_BOM: {
    name: 'Fertigung: geprüfte Stückliste verlangen',
    description: 'Ein Fertigungsauftrag lässt sich nur für ein Teil anlegen, dessen Stückliste geprüft ist.',
  },
  BUILDORDER_REQUIRE_CLOSED_CHILDS: {
    name: 'Fertigung: Unteraufträge zuerst',
    description:
      'Ein Fertigungsauftrag lässt sich erst abschließen, wenn seine Unteraufträge abgeschlossen oder abgebrochen sind.',
  },
  BUILDORDER_EXTERNAL_BUILDS: {
    name: 'Fremdfertigung',
    description: 'Lieferanten können Fertigungsaufträge ausführen, und Bestellzeilen können auf diese verweisen.',
  },
  BUILDORDER_EXTERNAL_REQUIRED: {
    name: 'Fremdfertigung verlangen',
    description: 'Eine Bestellzeile für eine Baugruppe braucht einen Fertigungsauftrag, solange Fremdfertigung an ist.',
  },
  PREVENT_BUILD_COMPLETION_HAVING_INCOMPLETED_TESTS: {
    name: 'Erst nach bestandenen Tests',
    description: 'Ergebnisse der Fertigung können erst abgeschlossen werden, wenn sie alle verlangten Tests bestanden haben.',
  },
  RETURNORDER_ENABLED: {
    name: 'Rücksendungen',
    description: 'Programme bieten Rücksendungen an.',
  },
  RETURNORDER_REFERENCE_PATTERN: {
    name: 'Muster für Rücksendungen',
    description:
      'Das Muster der Referenzen von Rücksendungen: `{ref:04d}` ist die Nummer, `{date:%Y}` das Datum in UTC, `?` ein beliebiges Zeichen, `#` eine Ziffer.',
  },
  RETURNORDER_REQUIRE_RESPONSIBLE: {
    name: 'Rücksendung: Verantwortliche verlangen',
    description: 'Eine Rücksendung braucht eine verantwortliche Person oder Gruppe.',
  },
  RETURNORDER_EDIT_COMPLETED_ORDERS: {
    name: 'Abgeschlossene Rücksendungen ändern',
    description: 'Programme erlauben, abgeschlossene Rücksendungen zu ändern.',
  },
  TRANSFERORDER_ENABLED: {
    name: 'Umlagerungsaufträge',
    description: 'Programme bieten Umlagerungsaufträge an.',
  },
  TRANSFERORDER_REFERENCE_PATTERN: {
    name: 'Muster für Umlagerungsaufträge',
    description:
      'Das Muster der Referenzen von Umlagerungsaufträgen: `{ref:04d}` ist die Nummer, `{date:%Y}` das Datum in UTC, `?` ein beliebiges Zeichen, `#` eine Ziffer.',
  },
  TRANSFERORDER_REQUIRE_RESPONSIBLE: {
    name: 'Umlagerung: Verantwortliche verlangen',
    description: 'Ein Umlagerungsauftrag braucht eine verantwortliche Person oder Gruppe.',
  },
  TRANSFERORDER_EDIT_COMPLETED_ORDERS: {
    name: 'Abgeschlossene Umlagerungsaufträge ändern',
    description: 'Programme erlauben, abgeschlossene Umlagerungsaufträge zu ändern.',
  },
  SALESORDER_REFERENCE_PATTERN: {
    name: 'Muster für Verkaufsaufträge',
    description:
      'Das Muster der Referenzen von Verkaufsaufträgen: `{ref:04d}` ist die Nummer, `{date:%Y}` das Datum in UTC, `?` ein beliebiges Zeichen, `#` eine Ziffer.',
  },
  SALESORDER_REQUIRE_RESPONSIBLE: {
    name: 'Verkauf: Verantwortliche verlangen',
    description: 'Ein Verkaufsauftrag braucht eine verantwortliche Person oder Gruppe.',
  },
  SALESORDER_DEFAULT_SHIPMENT: {
    name: 'Lieferung mit anlegen',
    description: 'Ein neuer Verkaufsauftrag bekommt gleich eine Lieferung.',
  },
  SALESORDER_EDIT_COMPLETED_ORDERS: {
    name: 'Abgeschlossene Verkäufe ändern',
    description: 'Programme erlauben, abgeschlossene Verkaufsaufträge zu ändern.',
  },
  SALESORDER_BLOCK_INCOMPLETE_ITEM_TESTS: {
    name: 'Ungeprüften Bestand zurückhalten',
    description: 'Bestand lässt sich Verkaufsaufträgen erst zuteilen, wenn er alle nötigen Prüfungen bestanden hat.',
  },
  SALESORDER_SHIPMENT_REQUIRES_CHECK: {
    name: 'Lieferungen prüfen',
    description: 'Eine Lieferung lässt sich erst versenden, wenn jemand sie geprüft hat.',
  },
  SALESORDER_SHIP_COMPLETE: {
    name: 'Versandte Aufträge abschließen',
    description: 'In Stockroom ist ein versandter Verkaufsauftrag immer abgeschlossen. Die Einstellung wird nur gespeichert.',
  },
  PURCHASEORDER_REFERENCE_PATTERN: {
    name: 'Muster für Bestellungen',
    description:
      'Das Muster der Referenzen von Bestellungen: `{ref:04d}` ist die Nummer, `{date:%Y}` das Datum in UTC, `?` ein beliebiges Zeichen, `#` eine Ziffer.',
  },
  PURCHASEORDER_REQUIRE_RESPONSIBLE: {
    name: 'Bestellung: Verantwortliche verlangen',
    description: 'Eine Bestellung braucht eine verantwortliche Person oder Gruppe.',
  },
  PURCHASEORDER_EDIT_COMPLETED_ORDERS: {
    name: 'Abgeschlossene Bestellungen ändern',
    description: 'Programme erlauben, abgeschlossene Bestellungen zu ändern.',
  },
  PURCHASEORDER_AUTO_COMPLETE: {
    name: 'Bestellungen selbst abschließen',
    description: 'Eine Bestellung wird abgeschlossen, sobald alle Zeilen vollständig eingegangen sind.',
  },
  PURCHASEORDER_CONVERT_CURRENCY: {
    name: 'Einkaufspreise umrechnen',
    description:
      'Der Einkaufspreis von eingegangenem Bestand wird in die Standardwährung umgerechnet, zum Kurs am Tag des Eingangs.',
  },
  PURCHASEORDER_MERGE_LINE_ITEMS: {
    name: 'Bestellzeilen zusammenführen',
    description: 'Eine neue Bestellzeile wird, wenn nichts anderes verlangt ist, mit einer passenden Zeile zusammengeführt.',
  },
  PROJECT_CODES_ENABLED: {
    name: 'Projektcodes',
    description: 'Programme bieten Projektcodes für Aufträge an.',
  },
  LOGIN_ENABLE_PWD_FORGOT: {
    name: 'Passwort vergessen',
    description: 'Wer sein Passwort vergessen hat, kann per E-Mail einen Link zum Zurücksetzen verlangen.',
  },
  LOGIN_ENABLE_REG: {
    name: 'Registrierung',
    description: 'Jeder kann ein Konto anlegen. Nur ein Superuser kann dies ändern.',
  },
  LOGIN_ENABLE_SSO: {
    name: 'Anmeldung über Anbieter',
    description: 'Konten können sich über die Anbieter in der Konfiguration (`SSO_PROVIDERS`) anmelden.',
  },
  LOGIN_ENABLE_SSO_REG: {
    name: 'Konten über Anbieter anlegen',
    description: 'Die Anmeldung über einen Anbieter legt fehlende Konten an. Nur ein Superuser kann dies ändern.',
  },
  LOGIN_ENABLE_SSO_GROUP_SYNC: {
    name: 'Gruppen vom Anbieter',
    description:
      'Bei jeder Anmeldung über einen Anbieter tritt ein Konto den Gruppen bei, die der Anbieter nennt. Nur Superuser ändern das.',
  },
  SSO_GROUP_KEY: {
    name: 'Feld der Gruppen',
    description:
      'Das Feld des Anbieters mit den Gruppen eines Kontos. Ohne es bleiben die Gruppen des Kontos. Nur Superuser ändern das.',
  },
  SSO_GROUP_MAP: {
    name: 'Zuordnung der Gruppen',
    description:
      'Die Namen vorhandener Gruppen zu Gruppen des Anbieters, etwa `{"staff": "Members"}`; andere werden übergangen. Nur Superuser ändern das.',
  },
  SSO_REMOVE_GROUPS: {
    name: 'Andere Gruppen entfernen',
    description:
      'Bei der Anmeldung über einen Anbieter verlässt ein Konto alle Gruppen, die der Anbieter nicht nennt. Nur Superuser ändern das.',
  },
  LOGIN_MAIL_REQUIRED: {
    name: 'E-Mail-Adresse verlangen',
    description: 'Die Registrierung verlangt eine E-Mail-Adresse.',
  },
  LOGIN_SIGNUP_SSO_AUTO: {
    name: 'Angaben des Anbieters übernehmen',
    description: 'Konten, die ein Anbieter anlegt, übernehmen Namen und E-Mail-Adresse von ihm. Aus: keines von beiden.',
  },
  LOGIN_SIGNUP_MAIL_TWICE: {
    name: 'E-Mail-Adresse zweimal',
    description: 'Programme fragen bei der Registrierung zweimal nach der E-Mail-Adresse.',
  },
  LOGIN_SIGNUP_PWD_TWICE: {
    name: 'Passwort zweimal',
    description: 'Programme fragen bei der Registrierung zweimal nach dem Passwort.',
  },
  LOGIN_SIGNUP_MAIL_RESTRICTION: {
    name: 'Erlaubte Domains',
    description:
      'Domains, deren Adressen sich registrieren dürfen, wie `@example.org,@example.com`; leer für alle. Anbieter dürfen nur bestätigte Adressen dieser Domains liefern.',
  },
  SIGNUP_GROUP: {
    name: 'Gruppe neuer Konten',
    description:
      'Der Name der Gruppe, in die ein neues Konto kommt. Leer: `Members`, die bei der ersten Registrierung mit allen Rechten außer der Rolle `admin` entsteht. Nur ein Superuser kann dies ändern.',
  },
  LOGIN_ENFORCE_MFA: {
    name: 'Zweiten Faktor verlangen',
    description:
      'Alle Konten brauchen einen zweiten Faktor: Eines ohne kann nur einen einrichten. Richte zuerst selbst einen ein. Nur ein Superuser kann dies ändern.',
  },
  DISPLAY_FULL_NAMES: {
    name: 'Volle Namen zeigen',
    description: 'Programme zeigen Vor- und Nachnamen statt Benutzernamen.',
  },
  DISPLAY_PROFILE_INFO: {
    name: 'Profile zeigen',
    description: 'Die Weboberfläche von InvenTree zeigt auf den Seiten von Personen ihr Profil.',
  },
  PLUGIN_ON_STARTUP: {
    name: 'Plugins beim Start prüfen',
    description: 'Stockroom prüft beim Start immer, ob Plugins installiert sind. Die Einstellung wird nur gespeichert.',
  },
  PLUGIN_UPDATE_CHECK: {
    name: 'Neue Versionen von Plugins',
    description: 'Stockroom prüft nicht auf neue Versionen von Plugins. Die Einstellung wird nur gespeichert.',
  },
  ENABLE_PLUGINS_URL: {
    name: 'Adressen von Plugins',
    description: 'Plugins können Adressen unter `/plugin/` bedienen.',
  },
  ENABLE_PLUGINS_NAVIGATION: {
    name: 'Plugins in der Navigation',
    description: 'Stockroom hat keine Plugins, die Einträge in der Navigation hinzufügen. Die Einstellung wird nur gespeichert.',
  },
  ENABLE_PLUGINS_APP: {
    name: 'Tabellen von Plugins',
    description: 'Stockroom hat keine Plugins mit eigenen Tabellen. Die Einstellung wird nur gespeichert.',
  },
  ENABLE_PLUGINS_SCHEDULE: {
    name: 'Zeitpläne von Plugins',
    description: 'Plugins können nach Plan laufen.',
  },
  ENABLE_PLUGINS_EVENTS: {
    name: 'Ereignisse für Plugins',
    description: 'Plugins können auf Ereignisse des Dienstes antworten.',
  },
  ENABLE_PLUGINS_INTERFACE: {
    name: 'Plugins in der Oberfläche',
    description: 'Stockroom hat keine Plugins, die die Oberfläche ergänzen. Die Einstellung wird nur gespeichert.',
  },
  ENABLE_PLUGINS_MAILS: {
    name: 'E-Mails durch Plugins',
    description: 'Plugins können die E-Mails des Dienstes senden.',
  },
}
