using System.ComponentModel.DataAnnotations;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Library.Web.Controllers;

public class EmailForm
{
    [Required, EmailAddress, StringLength(120)]
    public string Email { get; set; } = "";
}

[Authorize(AuthenticationSchemes = "Cookies")]
[Route("account/email")]
public class EmailController(IReaderAccounts accounts) : Controller
{
    [HttpGet]
    public IActionResult Edit() => View(new EmailForm());

    [HttpPost]
    public async Task<IActionResult> Edit(EmailForm form)
    {
        if (!ModelState.IsValid)
        {
            return View(form);
        }
        await accounts.ChangeEmailAsync(User.Identity!.Name!, form.Email);
        TempData["notice"] = "Your address has been changed.";
        return RedirectToAction("Index", "Account");
    }
}
