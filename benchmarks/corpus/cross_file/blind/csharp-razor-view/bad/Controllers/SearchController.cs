using Microsoft.AspNetCore.Mvc;

namespace Site.Controllers;

public class SearchController : Controller
{
    public IActionResult Index(string term)
    {
        ViewBag.Term = term;
        return View();
    }
}
