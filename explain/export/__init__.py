"""Figures that leave the app: any figure of any page as a web page, an image or data, from the page's own script at given knobs."""
