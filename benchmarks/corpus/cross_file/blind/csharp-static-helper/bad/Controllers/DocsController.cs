using Docs.Helpers;
using Microsoft.AspNetCore.Mvc;

namespace Docs.Controllers
{
    public class DocsController : Controller
    {
        public IActionResult Show()
        {
            string name = Request.Query["name"];
            return Json(Files.Load(name));
        }
    }
}
