using Microsoft.AspNetCore.Identity;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.RazorPages;

namespace Portal.Pages;

public class SignInModel : PageModel
{
    private readonly SignInManager<IdentityUser> manager;

    public SignInModel(SignInManager<IdentityUser> manager) => this.manager = manager;

    [BindProperty] public string Email { get; set; } = "";
    [BindProperty] public string Password { get; set; } = "";

    public async Task<IActionResult> OnPostAsync(string? returnUrl)
    {
        var result = await manager.PasswordSignInAsync(Email, Password, false, lockoutOnFailure: true);
        if (!result.Succeeded)
        {
            ModelState.AddModelError("", "Sign-in failed");
            return Page();
        }
        return Redirect(returnUrl ?? "/");
    }
}
