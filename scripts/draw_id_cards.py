"""Draw the sample pictures of ID cards: `python -m scripts.draw_id_cards`.

The cards are invented, like their country. One is tilted and noisy as a photograph is, one is blurred beyond reading.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from catalog.demos.banking.personas import ANN, BEN, CHLOE, DANIEL, EVA, SAMPLES, UNREADABLE_PICTURE, Persona

WIDTH, HEIGHT = 1000, 630
_INK, _FAINT, _BLUE, _PAPER = "#17212b", "#5b6b7a", "#1d4e79", "#eef3f7"


def draw_card(persona: Persona, number: str) -> Image.Image:
    card = Image.new("RGB", (WIDTH, HEIGHT), "#c9d3dc")
    pen = ImageDraw.Draw(card)
    pen.rounded_rectangle((10, 10, WIDTH - 11, HEIGHT - 11), 36, fill=_PAPER, outline="#9fb0bf", width=3)
    for step in range(9):  # fine waves behind the text, as cards have them
        pen.arc((380 + 60 * step, 180, 700 + 60 * step, 980), 180, 232, fill="#dde7ee", width=2)
    pen.rounded_rectangle((10, 10, WIDTH - 11, 110), 36, fill=_BLUE)
    pen.rectangle((10, 70, WIDTH - 11, 110), fill=_BLUE)
    pen.text((48, 34), "REPUBLIC OF HARBOURLAND", fill="white", font=ImageFont.load_default(40))
    pen.text((WIDTH - 250, 44), "IDENTITY CARD", fill="#cfe0ee", font=ImageFont.load_default(28))
    _draw_portrait(pen)
    customer = persona.customer
    street, town = customer.address.split(", ")
    born = date.fromisoformat(customer.date_of_birth)
    y = 140
    for label, lines in (
        ("Name", (customer.name,)),
        ("Date of birth", (f"{born.day} {born:%B} {born.year}",)),
        ("Address", (f"{street},", town)),
        ("Card number", (number,)),
    ):
        pen.text((390, y), label, fill=_FAINT, font=ImageFont.load_default(24))
        y += 30
        for line in lines:
            pen.text((390, y), line, fill=_INK, font=ImageFont.load_default(38))
            y += 48
        y += 18
    return card


def photograph(card: Image.Image) -> Image.Image:
    """Make a card look photographed: tilted, on a table, a little soft and noisy."""
    table = Image.new("RGB", (1180, 840), "#8a6f57")
    outline = Image.new("L", card.size)
    ImageDraw.Draw(outline).rounded_rectangle((10, 10, WIDTH - 11, HEIGHT - 11), 36, fill=255)
    card = card.convert("RGBA")
    card.putalpha(outline)
    turned = card.rotate(3.5, expand=True, resample=Image.Resampling.BICUBIC)
    table.paste(turned, ((table.width - turned.width) // 2, (table.height - turned.height) // 2), turned)
    grain = Image.linear_gradient("L").resize(table.size).convert("RGB")
    return Image.blend(table, grain, 0.08).filter(ImageFilter.GaussianBlur(0.8))


def main(folder: Path = SAMPLES) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for persona, number in (
        (ANN, "X 204 518 77"),
        (CHLOE, "X 415 902 31"),
        (BEN, "X 310 277 02"),
        (EVA, "X 887 120 45"),
    ):
        card = draw_card(persona, number)
        if persona.picture is None:
            continue
        if persona.picture.endswith(".jpg"):
            photograph(card).save(folder / persona.picture, quality=72, optimize=True)
        else:
            card.quantize(48).save(folder / persona.picture, optimize=True)
    blurred = draw_card(DANIEL, "X 522 641 90").filter(ImageFilter.GaussianBlur(16))
    blurred.resize((WIDTH // 2, HEIGHT // 2)).save(folder / UNREADABLE_PICTURE, quality=60, optimize=True)


def _draw_portrait(pen: ImageDraw.ImageDraw) -> None:
    pen.rounded_rectangle((48, 150, 340, 530), 18, fill="#d3dee7", outline="#b3c2ce", width=2)
    pen.ellipse((134, 210, 254, 350), fill="#7d93a6")
    pen.pieslice((78, 370, 310, 688), 180, 360, fill="#7d93a6")


if __name__ == "__main__":
    main()
