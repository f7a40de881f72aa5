"""Imports a part of a supplier by inventree-part-import. A prepared supplier and prepared files replace the distributors' hosts."""

from pathlib import Path

import yaml
from inventree.api import InvenTreeAPI
from inventree.base import ParameterTemplate
from inventree.company import SupplierPart
from inventree.part import Part
from inventree_part_import import config, inventree_helpers, suppliers
from inventree_part_import.categories import setup_config_from_inventree
from inventree_part_import.inventree_helpers import Company, get_category, get_category_parts
from inventree_part_import.part_importer import ImportResult, PartImporter
from inventree_part_import.suppliers.base import ApiPart, Supplier
from steps import BASE, FOLDER, PASSWORD, RUN, USERNAME, finish, png, step

CATEGORY = f"Imported {RUN}"
folder = Path(FOLDER) / "part-import"
files = {
    config.CONFIG: {"currency": "USD", "language": "en", "location": "US", "scraping": False, "datasheets": "upload", "interactive": False},
    config.CATEGORIES_CONFIG: {
        CATEGORY: {"_structural": True, "Resistors": {"_parameters": [f"Resistance {RUN}", f"Power {RUN}"], "_aliases": ["Chip R"]}}
    },
    config.PARAMETERS_CONFIG: {
        f"Resistance {RUN}": {"_unit": "ohm", "_aliases": ["Resistance"]},
        f"Power {RUN}": {"_unit": "W", "_aliases": ["Power (Watts)"]},
    },
}


def resistor(price, resistance, kind):
    return ApiPart(
        description="A resistor",
        image_url="https://example.com/r.png",
        datasheet_url="https://example.com/r.pdf",
        supplier_link="https://example.com/r",
        SKU=f"{kind}-SKU-{RUN}",
        manufacturer=f"Maker of imports {RUN}",
        manufacturer_link="https://example.com/maker",
        MPN=f"{kind}-R-{RUN}.(1)",
        quantity_available=1200,
        packaging="Reel",
        category_path=["Passives", "Chip R"],
        parameters={"Resistance": resistance, "Power (Watts)": "0.25 W"},
        price_breaks={1: price, 100: 0.01},
        currency="USD",
    )


class Distributor(Supplier):
    """Finds one resistor for a term such as `0.05/4.7 kOhm/first`: its price, its resistance and the beginning of its names."""

    def search(self, search_term):
        price, resistance, kind = search_term.split("/")
        return [resistor(float(price), resistance, kind)], 1


def read_parameters(part):
    return {one.template_detail["name"]: one.data for one in part.getParameters()}


downloads = {"https://example.com/r.png": png(), "https://example.com/r.pdf": b"%PDF-1.4\n%%EOF\n"}
inventree_helpers._download_file_content = lambda url: (downloads[url], url)

with step("configuration: connects with a token of its own"):
    config.set_config_dir(folder)
    for name, content in files.items():
        (folder / name).write_text(yaml.safe_dump(content))
    token = InvenTreeAPI(BASE, username=USERNAME, password=PASSWORD).token
    (folder / config.INVENTREE_CONFIG).write_text(yaml.safe_dump({"host": BASE, "token": token}))
    api = config.setup_inventree_api()
    assert api.api_version == 530
with step("categories and parameter templates: creates them"):
    importer = PartImporter(api)
    assert get_category(api, f"{CATEGORY}/Resistors").getParentCategory().structural
    assert len([one for one in ParameterTemplate.list(api, search=RUN)]) == 2
with step("categories and parameter templates: finds them again"):
    before = len(ParameterTemplate.list(api))
    inventree_helpers.get_parameter_templates.cache_clear()
    importer = PartImporter(api)
    assert len(ParameterTemplate.list(api)) == before
with step("copies its configuration from the service"):
    categories, parameters = setup_config_from_inventree(api)
    assert categories[CATEGORY]["Resistors"]["_parameters"] == [f"Power {RUN}", f"Resistance {RUN}"]
    assert parameters[f"Power {RUN}"]["_unit"] == "W"
with step("supplier: creates, and finds again"):
    supplier = Company(f"Distributor {RUN}", currency="USD", is_supplier=True).setup(api)
    assert Company(f"Distributor {RUN}", currency="EUR", is_supplier=True).setup(api).pk == supplier.pk
with step("part, manufacturer part, supplier part, price breaks: imports"):
    suppliers._SUPPLIERS = {"distributor": (Distributor(), supplier)}
    assert importer.import_part("0.05/4.7 kOhm/first") == ImportResult.SUCCESS
    [part] = Part.list(api, name_regex=f"^first-R-{RUN}\\.\\(1\\)$")
    [bought] = SupplierPart.list(api, SKU=f"first-SKU-{RUN}")
    assert part.getCategory().name == "Resistors" and bought.part == part.pk and bought.manufacturer_part
    assert bought.available == 1200 and bought.packaging == "Reel"
    assert {one.quantity: float(one.price) for one in bought.getPriceBreaks()} == {1: 0.05, 100: 0.01}
with step("picture: uploads, and downloads again"):
    assert part.image and inventree_helpers.download_image_content(part)[:4] == b"\x89PNG"
with step("datasheet: uploads"):
    assert [(one.comment, one.filename) for one in part.getAttachments()] == [("datasheet", "r.pdf")]
with step("parameters: creates"):
    assert read_parameters(part) == {f"Resistance {RUN}": "4.7 kohm", f"Power {RUN}": "0.25 W"}
with step("imports again: changes the price, and nothing else"):
    importer.import_part("0.04/4.7 kOhm/first")
    assert len(SupplierPart.list(api, SKU=f"first-SKU-{RUN}")) == 1
    assert {one.quantity: float(one.price) for one in bought.getPriceBreaks()} == {1: 0.04, 100: 0.01}
    assert len(part.getAttachments()) == 1
with step("second part: imports, with parameters of its own"):
    importer.import_part("0.03/1 MOhm/second")
    [other] = Part.list(api, name_regex=f"^second-R-{RUN}\\.\\(1\\)$")
    assert read_parameters(other) == {f"Resistance {RUN}": "1 Mohm", f"Power {RUN}": "0.25 W"}, read_parameters(other)
    assert read_parameters(part) == {f"Resistance {RUN}": "4.7 kohm", f"Power {RUN}": "0.25 W"}
with step(
    "first part: imports changed parameters",
    client_fault="the client lists parameters by `part`, which 1.5 ignores: it changes the parameters of another part",
    error="AssertionError",
):
    importer.import_part("0.04/5 kOhm/first")
    assert read_parameters(part)[f"Resistance {RUN}"] == "5 kohm"
with step("lists the parts of a category for an update"):
    assert [one.pk for one in get_category_parts(get_category(api, CATEGORY), True)] == [part.pk, other.pk]

finish()
